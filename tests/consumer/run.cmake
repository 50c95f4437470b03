# Installs the library, builds the outside project against it, runs its programs and compares what
# they print.
# Given by tests/CMakeLists.txt: BUILD (the library's build folder), SOURCE (this folder), WORK (an
# own folder), COMPILER, FLAGS, GENERATOR.
file(REMOVE_RECURSE ${WORK})
set(ENV{CMAKE_PREFIX_PATH} "")

execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS})
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --build ${WORK}/build)
# expect_output(PROGRAM text ARGUMENTS...)
function(expect_output program expected)
  execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE found
    COMMAND ${WORK}/build/${program} ${ARGN})
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${program}: printed\n${found}expected\n${expected}")
  endif()
endfunction()
expect_output(consumer "at least -40 with probability 1\n")
expect_output(own_structure
  "at least 2 good days in a row, 1 bad, with probability 0.94525 (rank 4 of 5)\n")
expect_output(run_policy
  "home: train, target -25, kept with probability 0.72
station: wait, target -15, kept with probability 0.8
office: the promise was kept
" ${SOURCE}/../../examples/commute.json 0.5)
# Several processes, where there is MPI.
find_program(MPIRUN mpirun)
if(MPIRUN AND EXISTS ${WORK}/build/use_ranks)
  set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
  set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
  set(ENV{OMPI_MCA_btl_vader_single_copy_mechanism} none)
  execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE found
    COMMAND ${MPIRUN} --oversubscribe --bind-to none -n 3 ${WORK}/build/use_ranks)
  if(NOT found STREQUAL "at least 810, 3 processes, the work was shared\n")
    message(FATAL_ERROR "use_ranks: printed\n${found}")
  endif()
endif()
# Without CMake: the compiler alone, with what pkg-config says.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/lib/pkgconfig:${WORK}/prefix/lib64/pkgconfig)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND pkg-config --cflags --libs quantiplan)
separate_arguments(words UNIX_COMMAND "${words}")
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${COMPILER} ${flags} ${SOURCE}/../../examples/use_library.cpp -o ${WORK}/build/by_hand ${words})
expect_output(by_hand "at least -40 with probability 1\n")
foreach(file IN ITEMS man/man1/quantiplan.1 bash-completion/completions/quantiplan
    zsh/site-functions/_quantiplan fish/vendor_completions.d/quantiplan.fish)
  if(NOT EXISTS ${WORK}/prefix/share/${file})
    message(FATAL_ERROR "consumer: share/${file} was not installed")
  endif()
endforeach()
if(NOT EXISTS ${WORK}/prefix/bin/quantiplan)
  message(FATAL_ERROR "consumer: the program was not installed as bin/quantiplan")
endif()
