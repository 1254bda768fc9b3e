// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/sketch_loads.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant {
namespace {

using VectorXi32 = Eigen::Matrix<std::int32_t, Eigen::Dynamic, 1>;

constexpr const char* columns[] = {"load", "time", "node", "fx", "fy", "fz"};

struct Row {
  std::int64_t load;
  double time;
  std::int64_t node;
  Vector3d force;
};

// Puts rows together to loads; `fail(message, value, expected)` throws with the row's place.
class Collector {
 public:
  explicit Collector(int node_count) : node_count_(node_count) {}

  template <class Fail>
  void add(const Row& row, const Fail& fail) {
    if (row.node < 0 || row.node >= node_count_) {
      fail("the node does not exist", std::to_string(row.node),
           fmt::format("0 to {}", node_count_ - 1));
    }
    if (!row.force.allFinite() || !std::isfinite(row.time)) {
      fail("a force or time is not finite", "", "");
    }
    if (loads_.empty() || row.load != current_) {
      loads_.push_back({row.time, {}});
      current_ = row.load;
    }
    if (row.time != loads_.back().time) {
      fail("another time within the same load", fmt::format("{:g}", row.time),
           fmt::format("{:g}", loads_.back().time));
    }
    loads_.back().forces.push_back({static_cast<int>(row.node), row.force});
  }

  std::vector<SketchLoad> take(const std::string& name) {
    if (loads_.empty()) throw Error({name, 0, ""}, "the sketch holds no force");
    return std::move(loads_);
  }

 private:
  int node_count_;
  std::int64_t current_ = 0;
  std::vector<SketchLoad> loads_;
};

}  // namespace

VectorXd SketchLoad::vector(Index dof) const {
  VectorXd f = VectorXd::Zero(dof);
  for (const NodalForce& nodal : forces) {
    PLIANT_ASSERT(nodal.node >= 0 && 3 * nodal.node < dof, "a node of the mesh");
    f.segment<3>(3 * nodal.node) += nodal.force;
  }
  return f;
}

SketchLoad embedded_load(const Embedding& embedding, int point, const Vector3d& force,
                         double time) {
  PLIANT_ASSERT(point >= 0 && point < embedding.point_count(), "a point of the embedding");
  SketchLoad load{time, {}};
  for (Index a = 0; a < embedding.nodes.rows(); ++a) {
    load.forces.push_back({embedding.nodes(a, point), embedding.weights(a, point) * force});
  }
  return load;
}

std::vector<SketchLoad> parse_sketch_loads(std::string_view text, const std::string& name,
                                           int node_count) {
  io::TextReader reader({name, text}, {.comment = '#', .commas = true});
  for (const char* column : columns) reader.need_word(column);
  const auto fail = [&](const std::string& message, const std::string& value,
                        const std::string& expected) { reader.fail(message, value, expected); };
  Collector collector(node_count);
  while (reader.next_line()) {
    Row row;
    row.load = reader.need_integer("a load's number");
    const auto number = [&](const char* expected) {
      reader.need_more_on_line(expected);
      return reader.need_double(expected);
    };
    row.time = number("a time");
    reader.need_more_on_line("a node");
    row.node = reader.need_integer("a node");
    for (double& f : row.force) f = number("a force of three numbers");
    if (reader.more_on_line()) {
      fail("more than six values", std::string(reader.token()), "the end of the line");
    }
    collector.add(row, fail);
  }
  return collector.take(name);
}

std::vector<SketchLoad> sketch_loads(const TensorView& file, int node_count) {
  const auto load = file.matrix<std::int32_t>("load");
  const Index n = load.size();
  const auto time = file.matrix<double>("time", n);
  const auto node = file.matrix<std::int32_t>("node", n);
  const auto force = file.matrix<double>("force", 3);
  if (load.cols() != 1 || time.size() != n || node.size() != n || force.cols() != n) {
    throw Error({file.name(), 0, "load, time, node, force"}, "the tensors differ in length");
  }
  Collector collector(node_count);
  for (Index i = 0; i < n; ++i) {
    collector.add(
        Row{load(i), time(i), node(i), force.col(i)},
        [&](const std::string& message, const std::string& value, const std::string& expected) {
          throw Error({file.name(), 0, fmt::format("row {}", i)}, message, value, expected);
        });
  }
  return collector.take(file.name());
}

std::vector<SketchLoad> read_sketch_loads(const std::filesystem::path& path, int node_count) {
  if (path.extension() == ".safetensors") return sketch_loads(TensorFile(path), node_count);
  if (path.extension() == ".csv") {
    const MappedFile file(path);
    return parse_sketch_loads(file.bytes(), path.string(), node_count);
  }
  throw Error({path.string(), 0, ""}, "unknown ending of a sketch", path.extension().string(),
              ".csv or .safetensors");
}

void add_sketch_loads(const std::vector<SketchLoad>& loads, TensorWriter& writer) {
  Index n = 0;
  for (const SketchLoad& load : loads) n += static_cast<Index>(load.forces.size());
  VectorXi32 number(n), node(n);
  VectorXd time(n);
  Matrix3Xd force(3, n);
  Index at = 0;
  for (std::size_t l = 0; l < loads.size(); ++l) {
    for (const NodalForce& nodal : loads[l].forces) {
      number[at] = static_cast<std::int32_t>(l);
      time[at] = loads[l].time;
      node[at] = nodal.node;
      force.col(at++) = nodal.force;
    }
  }
  writer.keep("load", std::move(number));
  writer.keep("time", std::move(time));
  writer.keep("node", std::move(node));
  writer.keep("force", std::move(force));
}

void write_sketch_loads(const std::filesystem::path& path, const std::vector<SketchLoad>& loads) {
  if (path.extension() == ".safetensors") {
    TensorWriter writer;
    add_sketch_loads(loads, writer);
    return writer.write(path);
  }
  if (path.extension() != ".csv") {
    throw Error({path.string(), 0, ""}, "unknown ending of a sketch", path.extension().string(),
                ".csv or .safetensors");
  }
  io::Sink sink;
  sink.text("load,time,node,fx,fy,fz\n");
  for (std::size_t l = 0; l < loads.size(); ++l) {
    for (const NodalForce& nodal : loads[l].forces) {
      sink.integer(static_cast<std::int64_t>(l)).text(",").number(loads[l].time).text(",");
      sink.integer(nodal.node);
      for (const double f : nodal.force) sink.text(",").number(f);
      sink.text("\n");
    }
  }
  AtomicFile file(path);
  file.write(sink.take());
  file.commit();
}

}  // namespace pliant
