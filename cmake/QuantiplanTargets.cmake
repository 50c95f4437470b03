# One CMake target per source folder, so that an include against the layering fails to build.
#
#   quantiplan_folder(steps SEES stages kernels)
#
# makes quantiplan_steps from the *.cpp of the current folder. It finds the headers of its own folder,
# the public ones, and those of the folders it sees. The objects go into the static library
# `quantiplan`. A folder without sources has headers only.

# Flags of all our own code, whether library, program, test or benchmark.
# -ffp-contract=off: fused multiply-adds would make the kernels' results differ from one another.
# -Wno-restrict: g++ 12 warns of overlapping copies inside "text" + std::string (its bug 105651).
function(quantiplan_flags target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -ffp-contract=off
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${QUANTIPLAN_WERROR}>:-Werror>)
  if(QUANTIPLAN_PRECOMPILE)
    # g++ 12 forgets which of these headers are the system's, and warns of what it inlines from them.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>)
    target_precompile_headers(${target} PRIVATE
      <gmpxx.h> <algorithm> <cmath> <cstdint> <functional> <map> <memory> <optional> <string>
      <string_view> <unordered_map> <utility> <vector>)
  endif()
endfunction()

add_library(quantiplan_public INTERFACE)
target_include_directories(quantiplan_public INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(quantiplan_public INTERFACE GMP::gmpxx)

function(quantiplan_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SEES;USES")
  set(target quantiplan_${name})
  list(TRANSFORM arg_SEES PREPEND quantiplan_)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  if(sources)
    add_library(${target} OBJECT ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC quantiplan_public ${arg_SEES} PRIVATE ${arg_USES})
    quantiplan_flags(${target})
    set_property(GLOBAL APPEND PROPERTY QUANTIPLAN_OBJECTS $<TARGET_OBJECTS:${target}>)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE quantiplan_public ${arg_SEES})
  endif()
  set_property(GLOBAL APPEND PROPERTY QUANTIPLAN_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
