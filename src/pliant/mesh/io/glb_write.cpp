// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/glb_write.hpp"

#include <nlohmann/json.hpp>

#include "pliant/base/assert.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

using Json = nlohmann::json;

enum : int { float_type = 5126, unsigned_type = 5125 };
enum : int { no_target = 0, vertex_data = 34962, index_data = 34963 };

class GlbWriter {
 public:
  std::string write(const std::vector<GlbBody>& bodies, const std::string& generator) {
    json_["asset"] = {{"version", "2.0"}, {"generator", generator}};
    Json roots = Json::array();
    Json animation = {{"name", "motion"}, {"samplers", Json::array()}, {"channels", Json::array()}};
    for (const GlbBody& body : bodies) {
      const auto node = static_cast<int>(roots.size());
      roots.push_back(node);
      add_body(body);
      add_animation(body, node, animation);
    }
    json_["scene"] = 0;
    json_["scenes"] = {{{"nodes", roots}}};
    if (!animation["channels"].empty()) json_["animations"] = {animation};
    json_["buffers"] = {{{"byteLength", data_.size()}}};
    return file();
  }

 private:
  // Numbers of the buffer, `rows` to an element: an accessor with a view of its own.
  int accessor(const void* data, std::size_t count, Index rows, int type, int target) {
    Json view = {{"buffer", 0}, {"byteOffset", data_.size()}, {"byteLength", 4 * count}};
    if (target != no_target) view["target"] = target;
    json_["bufferViews"].push_back(view);
    data_.text({static_cast<const char*>(data), 4 * count});
    constexpr const char* names[] = {"SCALAR", "", "VEC3", "VEC4"};
    json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                  {"componentType", type},
                                  {"count", count / static_cast<std::size_t>(rows)},
                                  {"type", names[rows - 1]}});
    return static_cast<int>(json_["accessors"].size()) - 1;
  }

  // A column is an element, `rows` its numbers. glTF wants the bounds of positions and times.
  int floats(const Eigen::MatrixXf& x, Index rows, int target, bool bounds) {
    const int index =
        accessor(x.data(), static_cast<std::size_t>(x.size()), rows, float_type, target);
    if (bounds) {
      const Eigen::Map<const Eigen::MatrixXf> items(x.data(), rows, x.size() / rows);
      const Eigen::VectorXf low = items.rowwise().minCoeff(), high = items.rowwise().maxCoeff();
      Json& json = json_["accessors"].back();
      json["min"] = std::vector<float>(low.begin(), low.end());
      json["max"] = std::vector<float>(high.begin(), high.end());
    }
    return index;
  }

  void add_body(const GlbBody& body) {
    PLIANT_ASSERT(body.F.cols() > 0 && body.N.cols() == body.X.cols(), "a surface with normals");
    Json primitive = {{"attributes",
                       {{"POSITION", floats(body.X, 3, vertex_data, true)},
                        {"NORMAL", floats(body.N, 3, vertex_data, false)}}},
                      {"indices", accessor(body.F.data(), static_cast<std::size_t>(body.F.size()),
                                           1, unsigned_type, index_data)},
                      {"material", json_["materials"].size()}};
    Json names = Json::array(), weights = Json::array();
    for (const GlbTarget& target : body.targets) {
      Json json = {{"POSITION", floats(target.positions, 3, vertex_data, true)}};
      if (target.normals.size() > 0) {
        json["NORMAL"] = floats(target.normals, 3, vertex_data, false);
      }
      primitive["targets"].push_back(json);
      names.push_back(target.name);
      weights.push_back(0);
    }
    Json mesh = {{"name", body.name}, {"primitives", {primitive}}};
    if (!names.empty()) {
      mesh["weights"] = weights;
      mesh["extras"] = {{"targetNames", names}};
    }
    json_["meshes"].push_back(mesh);
    const Vector3d& c = body.colour;
    json_["materials"].push_back({{"name", body.name},
                                  {"doubleSided", true},
                                  {"pbrMetallicRoughness",
                                   {{"baseColorFactor", {c[0], c[1], c[2], 1}},
                                    {"metallicFactor", 0},
                                    {"roughnessFactor", 0.6}}}});
    const Vector3d& t = body.translation;
    const Eigen::Quaterniond& q = body.rotation;
    json_["nodes"].push_back({{"name", body.name},
                              {"mesh", json_["meshes"].size() - 1},
                              {"translation", {t[0], t[1], t[2]}},
                              {"rotation", {q.x(), q.y(), q.z(), q.w()}}});
  }

  void add_animation(const GlbBody& body, int node, Json& animation) {
    const GlbAnimation& a = body.animation;
    if (a.times.size() == 0) return;
    int input = -1;
    const auto channel = [&](const char* path, const Eigen::MatrixXf& values, Index rows) {
      if (values.size() == 0) return;
      PLIANT_ASSERT(values.cols() == a.times.size(), "a column a moment");
      if (input < 0) input = floats(a.times, 1, no_target, true);
      animation["channels"].push_back({{"sampler", animation["samplers"].size()},
                                       {"target", {{"node", node}, {"path", path}}}});
      animation["samplers"].push_back({{"input", input},
                                       {"output", floats(values, rows, no_target, false)},
                                       {"interpolation", "LINEAR"}});
    };
    channel("weights", a.weights, 1);
    channel("translation", a.translations, 3);
    channel("rotation", a.rotations, 4);
  }

  std::string file() {
    constexpr std::uint32_t magic = 0x46546C67, json_chunk = 0x4E4F534A, data_chunk = 0x004E4942;
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::string data = data_.take();  // of numbers of four bytes
    Sink out;
    out.raw(magic).raw(std::uint32_t{2});
    out.raw(static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + data.size()));
    out.raw(static_cast<std::uint32_t>(text.size())).raw(json_chunk).text(text);
    out.raw(static_cast<std::uint32_t>(data.size())).raw(data_chunk).text(data);
    return out.take();
  }

  Json json_ = {{"nodes", Json::array()},
                {"meshes", Json::array()},
                {"materials", Json::array()},
                {"accessors", Json::array()},
                {"bufferViews", Json::array()}};
  Sink data_;
};

}  // namespace

std::string write_glb(const std::vector<GlbBody>& bodies, const std::string& generator) {
  PLIANT_ASSERT(!bodies.empty(), "a file of nothing");
  return GlbWriter().write(bodies, generator);
}

}  // namespace pliant::io
