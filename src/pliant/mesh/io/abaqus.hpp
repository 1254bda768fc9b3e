// SPDX-License-Identifier: MIT
// Abaqus' .inp, as Abaqus, CalculiX and many mesh generators write it. Keywords are of any case,
// lines that begin with "**" are comments, nodes and elements have arbitrary whole numbers.
//
//   *NODE [, NSET=]                           number, x, y, z
//   *ELEMENT, TYPE=C3D4|C3D8|C3D10 [, ELSET=] number, nodes      (also C3D8I, C3D8R, C3D10M ...)
//   *NSET, NSET= / *ELSET, ELSET= [, GENERATE]  numbers and names of sets / first, last, step
//   *MATERIAL, NAME=   then *DENSITY, *ELASTIC [, TYPE=ENGINEERING CONSTANTS]
//                      or *HYPERELASTIC, MOONEY-RIVLIN  (C10, C01, D1: mu10, mu01, 1 / v1)
//   *SOLID SECTION, ELSET=, MATERIAL=         makes the set a region
//   *INCLUDE, INPUT=file
//
// One part and one instance of it are tolerated; the instance's place is not applied. Elements that
// are no solids and other keywords are skipped with a note.
#pragma once

#include <string>

#include "pliant/mesh/io/keyword_reader.hpp"
#include "pliant/mesh/io/report.hpp"
#include "pliant/mesh/io/source.hpp"
#include "pliant/mesh/io/write_options.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::io {

VolumeMesh read_abaqus(const Source& source, const Load& load, ReadReport& report);
std::string write_abaqus(const VolumeMesh& mesh, const WriteOptions& options);

}  // namespace pliant::io
