# Installs the packages of package-lock.json into node_modules, unless they are there: several build folders share them.
# usage: cmake -DNPM=npm -P packages.cmake
set(here ${CMAKE_CURRENT_LIST_DIR})
set(installed ${here}/node_modules/.package-lock.json)
file(LOCK ${here}/packages.lock GUARD PROCESS TIMEOUT 600)
if(NOT ${here}/package-lock.json IS_NEWER_THAN ${installed})
  return()
endif()
# as locked, and none of their scripts runs
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${here} RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "npm ci failed: is the network reachable? -DZVENO_VIEWER=OFF builds without the page")
endif()
file(TOUCH ${installed})
