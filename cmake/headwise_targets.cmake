# How the targets of headwise are made: one include spelling, one set of warnings.

# `#include "headwise/autograd/tensor.h"` in the tree as after installation: a link gives the sources that name.
set(HEADWISE_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${HEADWISE_INCLUDE_DIR})
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${HEADWISE_INCLUDE_DIR}/headwise SYMBOLIC)

# What every file of ours is compiled with. Products are not contracted behind our back: an element's bits must
# not depend on whether it was computed in a vector or in the remainder of a loop.
function(headwise_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
                                           -ffp-contract=off -fno-math-errno -fno-trapping-math
                                           -fopenmp-simd
                                           $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
  if(HEADWISE_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  # g++ 12.1 and 12.2 take the 32-byte constant {a, a, 0, 0} for {a, a, a, a} where they broadcast it from a register.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.3)
    target_compile_options(${target} PRIVATE -mtune-ctrl=^inter_unit_moves_to_vec)
  endif()
endfunction()

# A library `headwise_NAME`, exported as headwise::NAME. Sources and headers are listed relative to its folder.
function(headwise_library name)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES" ${ARGN})
  add_library(headwise_${name} STATIC ${ARG_SOURCES})
  add_library(headwise::${name} ALIAS headwise_${name})
  set_target_properties(headwise_${name} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON
                                                    POSITION_INDEPENDENT_CODE ON)
  headwise_compile_options(headwise_${name})
  list(TRANSFORM ARG_HEADERS PREPEND ${HEADWISE_INCLUDE_DIR}/headwise/${name}/)
  target_sources(headwise_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${HEADWISE_INCLUDE_DIR} FILES ${ARG_HEADERS})
endfunction()
