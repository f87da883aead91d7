# Installs headwise into a folder of its own and builds and runs the outside project of this folder against it, with
# flags other than headwise's own: no optimisation, no -march.
# Usage: cmake -DBUILD=... -DWORK=... -DCOMPILER=... -DFLAGS=... -DGENERATOR=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)

file(GLOB beside LIST_DIRECTORIES true RELATIVE ${WORK}/installed/include ${WORK}/installed/include/*)
if(NOT beside STREQUAL "headwise")
  message(FATAL_ERROR "nothing but headwise/ may be installed in include/, but there is: ${beside}")
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS} -O0")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/outside)
