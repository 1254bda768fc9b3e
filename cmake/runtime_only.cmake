# SPDX-License-Identifier: MIT
# The library pliant_runtime and its example, without anything else: what another system or compiler
# begins with.
#   emcmake cmake -B build/wasm -DPLIANT_RUNTIME_ONLY=ON -DPLIANT_ARCH= -DEigen3_DIR=/usr/share/eigen3/cmake
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
# The headers of nlohmann-json in a folder of their own: the one around them may hold those of
# another C library.
find_path(NLOHMANN_JSON_HEADERS nlohmann/json.hpp PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(PLIANT_JSON_INCLUDE_DIR ${PROJECT_BINARY_DIR}/json)
file(MAKE_DIRECTORY ${PLIANT_JSON_INCLUDE_DIR})
file(CREATE_LINK ${NLOHMANN_JSON_HEADERS}/nlohmann ${PLIANT_JSON_INCLUDE_DIR}/nlohmann SYMBOLIC)

include(src/pliant/runtime.cmake)
add_executable(step_reduced tests/runtime/step_reduced.cpp)
target_link_libraries(step_reduced PRIVATE pliant_runtime pliant_options)
if(EMSCRIPTEN)
  # One file for Node.js, which reads the files of the machine.
  target_link_options(step_reduced PRIVATE -sSINGLE_FILE -sNODERAWFS -sALLOW_MEMORY_GROWTH)
endif()
