# SPDX-License-Identifier: MIT
# pliant_options: what every translation unit of the project is compiled with.
add_library(pliant_options INTERFACE)
target_compile_options(pliant_options INTERFACE -Wall -Wextra -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports these falsely inside std::string and Eigen once functions are inlined.
  target_compile_options(pliant_options INTERFACE -Wno-restrict -Wno-array-bounds
                                                  -Wno-stringop-overflow -Wno-maybe-uninitialized
                                                  -Wno-stringop-overread)
  # Its memory is collected less often: a tenth less time, up to 200 MB more.
  target_compile_options(pliant_options INTERFACE "SHELL:--param ggc-min-heapsize=500000")
endif()
if(PLIANT_WERROR)
  target_compile_options(pliant_options INTERFACE -Werror)
endif()

if(PLIANT_SANITIZE)
  # Without the checks of every pointer for null and alignment, which take a third of the compile
  # time: the address sanitizer stops at null, and Eigen asserts the alignment itself.
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-sanitize-recover=all
                      -fno-sanitize=null,alignment,object-size,vptr)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()
