# SPDX-License-Identifier: MIT
# The library `pliant_runtime`: what runs at 1 kHz and loads what a bake has left, from bytes. It
# needs Eigen and the C++ library (and nlohmann-json's headers to compile), and has no file, no
# thread and no exception while it runs; tests/runtime/ holds that. It compiles with Emscripten.

# Whole folders, without their bake/ and what needs files, threads or clocks; of the others, files.
set(runtime_folders table shape reduced rigid green vademecum contact haptics asset world)
set(not_runtime
    table/file_codec.cpp
    reduced/reduced_spec.cpp
    haptics/paced_loop.cpp
    haptics/real_time.cpp
    world/desktop.cpp
    world/engines.cpp
    world/thread_worker.cpp)
set(runtime_sources
    base/assert.cpp
    base/error.cpp
    base/nearest_name.cpp
    base/parallel_serial.cpp
    base/tensor_view.cpp
    base/text.cpp
    linalg/dense_eigen.cpp
    fem/damping_table.cpp
    fem/material.cpp
    fem/newmark_keys.cpp
    fem/point_law.cpp
    fem/polar.cpp)
foreach(folder ${runtime_folders})
  file(GLOB found RELATIVE ${CMAKE_CURRENT_LIST_DIR} CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_LIST_DIR}/${folder}/*.cpp)
  list(APPEND runtime_sources ${found})
endforeach()
list(REMOVE_ITEM runtime_sources ${not_runtime})

add_library(pliant_runtime STATIC)
add_library(pliant::runtime ALIAS pliant_runtime)
set_target_properties(pliant_runtime PROPERTIES EXPORT_NAME runtime)
target_compile_features(pliant_runtime PUBLIC cxx_std_20)
target_include_directories(
  pliant_runtime PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(pliant_runtime PUBLIC Eigen3::Eigen)
if(PLIANT_ARCH)
  target_compile_options(pliant_runtime PUBLIC -march=${PLIANT_ARCH})
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_definitions(pliant_runtime PRIVATE PLIANT_UNROLL_LOOPS)
endif()

target_link_libraries(pliant_runtime PRIVATE $<BUILD_INTERFACE:pliant_options>)
list(TRANSFORM runtime_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/ OUTPUT_VARIABLE runtime_paths)
set_target_properties(pliant_runtime PROPERTIES PLIANT_SOURCES "${runtime_paths}")

if(PLIANT_RUNTIME_ONLY)
  target_sources(pliant_runtime PRIVATE ${runtime_paths})
  target_include_directories(pliant_runtime SYSTEM PRIVATE ${PLIANT_JSON_INCLUDE_DIR})
else()
  # The objects are those of the modules, so that no file is compiled twice. The loops of
  # base/parallel.hpp are another implementation.
  target_sources(pliant_runtime PRIVATE ${CMAKE_CURRENT_LIST_DIR}/base/parallel_serial.cpp)
  list(REMOVE_ITEM runtime_sources base/parallel_serial.cpp)
  foreach(source ${runtime_sources})
    string(REGEX REPLACE "/.*" "" module ${source})
    string(REPLACE "." "[.]" pattern ${source})
    if(PLIANT_UNITY)
      set(pattern unity/${module}_runtime_[0-9]+[.]cpp)  # groups of these files alone
    endif()
    target_sources(pliant_runtime
                   PRIVATE $<FILTER:$<TARGET_OBJECTS:pliant_${module}>,INCLUDE,/${pattern}[.]o>)
  endforeach()
endif()
