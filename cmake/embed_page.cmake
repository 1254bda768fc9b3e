# SPDX-License-Identifier: MIT
# cmake -DDIST=folder -DOUT=page_files.cpp -P embed_page.cmake
# All files of the folder as one C++ file that takes them in by the assembler; without a folder, an
# empty table. Their hashes are in it, so that it changes when they do.
set(files)
if(DIST)
  file(GLOB_RECURSE files RELATIVE ${DIST} ${DIST}/*)
endif()
set(data "")
set(table "")
set(number 0)
foreach(name ${files})
  file(SHA256 ${DIST}/${name} hash)
  set(symbol pliant_page_${number})
  string(
    APPEND data
    "// ${hash}\n"
    "asm(\".section .rodata\\n.balign 16\\n.globl ${symbol}\\n${symbol}:\\n\"\n"
    "    \".incbin \\\"${DIST}/${name}\\\"\\n.globl ${symbol}_end\\n${symbol}_end:\\n.previous\\n\");\n"
    "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n")
  string(APPEND table "    {\"/${name}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(
  CONCAT
    text
    "// Made by cmake/embed_page.cmake.\n#include \"pliant/serve/page_files.hpp\"\n\n#include <cstddef>\n\n${data}\n"
    "namespace pliant::serve {\n\nstd::span<const PageFile> page_files() {\n")
if(files)
  string(APPEND text "  static const PageFile files[] = {\n${table}  };\n  return files;\n")
else()
  string(APPEND text "  return {};\n")
endif()
string(APPEND text "}\n\n}  // namespace pliant::serve\n")
file(WRITE ${OUT} "${text}")
