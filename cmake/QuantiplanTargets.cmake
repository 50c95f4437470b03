# How our own code is compiled: flags, precompiled headers, and one target for each folder of src/.

# Flags of all our own code, whether library, program, test or benchmark.
# -ffp-contract=off: fused multiply-adds would make the kernels' results differ from one another.
# -Wno-restrict: g++ 12 warns of overlapping copies inside "text" + std::string (its bug 105651).
# COLD: code whose speed nobody notices (reports, tests) is built at -O1, in half the time; WARM: what prepares,
# reads or rechecks without inner loops of arithmetic, at -O2; everything else at -O3.
function(quantiplan_flags target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;WARM" "" "")
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -ffp-contract=off
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${QUANTIPLAN_WERROR}>:-Werror>)
  if(QUANTIPLAN_PRECOMPILE)
    # g++ 12 forgets which headers are the system's if they are precompiled, and warns of what it
    # inlines from them.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>)
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${QUANTIPLAN_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(arg_COLD)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(arg_WARM)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
endfunction()

# Compiles the headers that most files include once for all targets that name the same CARRIER:
#
#   quantiplan_precompile(quantiplan_steps quantiplan_headers)
#
# A carrier is a target of the same type (a library's code is position-independent, a program's is
# not) that makes nothing but these headers; the first call makes it. Further arguments are headers
# of its own and the libraries they need.
function(quantiplan_precompile target carrier)
  if(NOT QUANTIPLAN_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "HEADERS;USES")
  if(NOT TARGET ${carrier})
    get_target_property(type ${target} TYPE)
    set(source ${PROJECT_BINARY_DIR}/${carrier}.cpp)
    if(type STREQUAL "EXECUTABLE")
      file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
      add_executable(${carrier} EXCLUDE_FROM_ALL ${source})
    else()
      file(CONFIGURE OUTPUT ${source} CONTENT "namespace quantiplan {}\n")
      add_library(${carrier} OBJECT EXCLUDE_FROM_ALL ${source})
    endif()
    target_link_libraries(${carrier} PRIVATE GMP::gmpxx fmt::fmt Threads::Threads ${arg_USES})
    quantiplan_flags(${carrier})
    target_precompile_headers(${carrier} PRIVATE
      <gmpxx.h> <fmt/format.h> <algorithm> <cmath> <cstdint> <functional> <map> <memory> <optional>
      <span> <string> <string_view> <unordered_map> <utility> <vector> ${arg_HEADERS})
  endif()
  # What the headers were compiled with, their users must be compiled with.
  target_link_libraries(${target} PRIVATE fmt::fmt Threads::Threads)
  target_precompile_headers(${target} REUSE_FROM ${carrier})
endfunction()

# The objects of one folder below src/, for the static library `quantiplan`. Includes name the folder
# ("finite/windows.hpp").
function(quantiplan_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;WARM" "" "")
  string(REPLACE / _ name ${folder})
  set(target quantiplan_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(heat "")
  if(arg_COLD)
    set(heat COLD)
  elseif(arg_WARM)
    set(heat WARM)
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE GMP::gmpxx MPFR::mpfr fmt::fmt Threads::Threads)
  quantiplan_flags(${target} ${heat})
  quantiplan_precompile(${target} quantiplan_headers)
  set_property(GLOBAL APPEND PROPERTY QUANTIPLAN_OBJECTS $<TARGET_OBJECTS:${target}>)
endfunction()
