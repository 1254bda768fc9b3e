// SPDX-License-Identifier: MIT
// The recorded forces of a sketch, [Barbic07] 2.8.2: one load for each moment at which a user held
// the body, by one node or by a point inside an element, which is a force at each of its nodes.
//
// As text (.csv): a line a nodal force; lines of the same `load` that follow one another are one
// load. Nodes count from 0; what follows a # is a comment.
//
//   load,time,node,fx,fy,fz
//   0,0.25,17,0.5,0,-1
//
// As tensors (.safetensors): the same columns, "load" I32 [n], "time" F64 [n], "node" I32 [n] and
// "force" F64 [n, 3].
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/base/types.hpp"
#include "pliant/mesh/embedding.hpp"

namespace pliant {

struct NodalForce {
  int node;
  Vector3d force;  // N
};

struct SketchLoad {
  double time = 0.0;  // s
  std::vector<NodalForce> forces;

  VectorXd vector(Index dof) const;  // f, 3 #V
};

// A force at point `point` of an embedding, on the nodes of its element: W^T f.
SketchLoad embedded_load(const Embedding& embedding, int point, const Vector3d& force, double time);

// Throw Error with the line or row: a number that is missing, wrong or not finite, a node that the
// mesh of `node_count` nodes has not, another time within a load, no load at all.
std::vector<SketchLoad> read_sketch_loads(const std::filesystem::path& path, int node_count);
std::vector<SketchLoad> parse_sketch_loads(std::string_view text, const std::string& name,
                                           int node_count);
std::vector<SketchLoad> sketch_loads(const TensorView& file, int node_count);

// By the file's ending; the file appears whole or not at all.
void write_sketch_loads(const std::filesystem::path& path, const std::vector<SketchLoad>& loads);
void add_sketch_loads(const std::vector<SketchLoad>& loads, TensorWriter& writer);

}  // namespace pliant
