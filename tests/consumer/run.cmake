# Installs the library, builds the outside project against it, runs that and compares its output.
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
execute_process(COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE found
  COMMAND ${WORK}/build/consumer)

set(expected "at least -40 with probability 1\n")
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "consumer: printed\n${found}expected\n${expected}")
endif()
if(NOT EXISTS ${WORK}/prefix/bin/quantiplan)
  message(FATAL_ERROR "consumer: the program was not installed as bin/quantiplan")
endif()
