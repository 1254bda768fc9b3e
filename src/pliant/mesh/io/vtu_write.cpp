// SPDX-License-Identifier: MIT
#include <vector>

#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/io/vtk_grid.hpp"
#include "pliant/mesh/io/vtu.hpp"

namespace pliant::io {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\t' || c == '\n' || c == '\r') {
      result += fmt::format("&#{};", code);
    } else if (code >= 32) {
      result += c;  // other control characters cannot stand in XML
    }
  }
  return result;
}

// What is written of a mesh.
struct Grid {
  const Matrix3Xd& V;
  Eigen::Map<const MatrixXi> E;  // nodes of an element by #E
  int type;                      // VTK's number of it
  std::vector<VtkArray> point_arrays = {}, cell_arrays = {};
  std::string region_names = {};
};
constexpr int vtk_triangle = 5;

class VtuWriter {
 public:
  VtuWriter(const Grid& grid, bool binary) : grid_(grid), binary_(binary) {}

  std::string write(std::span<const VtuField> point_fields, std::span<const VtuField> cell_fields);

 private:
  // An array whose numbers `values` yields as T.
  template <class T, class Values>
  void array(const char* type, std::string_view name, int components, const Values& values,
             const std::string& attributes = "");
  void arrays(const char* section, const std::vector<VtkArray>& sets,
              std::span<const VtuField> fields);
  void write_cells();

  const Grid& grid_;
  bool binary_;
  Sink xml_, appended_;
};

template <class T, class Values>
void VtuWriter::array(const char* type, std::string_view name, int components, const Values& values,
                      const std::string& attributes) {
  xml_.text("<DataArray type=\"").text(type).text("\" Name=\"").text(escaped(name)).text("\"");
  xml_.text(attributes);
  if (components != 1) xml_.text(" NumberOfComponents=\"").integer(components).text("\"");
  if (binary_) {
    xml_.text(" format=\"appended\" offset=\"");
    xml_.integer(static_cast<std::int64_t>(appended_.size())).text("\"/>\n");
    appended_.raw<std::uint64_t>(sizeof(T) * static_cast<std::size_t>(std::ssize(values)));
    for (const auto value : values) appended_.raw(static_cast<T>(value));
    return;
  }
  xml_.text(" format=\"ascii\">\n");
  int column = 0;
  for (const auto value : values) {
    if constexpr (std::is_same_v<T, double>) {
      xml_.number(value);
    } else {
      xml_.integer(static_cast<std::int64_t>(value));
    }
    xml_.text(++column % 12 == 0 ? "\n" : " ");
  }
  xml_.text("\n</DataArray>\n");
}

void VtuWriter::arrays(const char* section, const std::vector<VtkArray>& sets,
                       std::span<const VtuField> fields) {
  if (sets.empty() && fields.empty()) return;
  xml_.text("<").text(section).text(">\n");
  for (const VtkArray& set : sets) {
    if (set.flags) {
      array<std::uint8_t>("UInt8", set.name, 1, set.values);
    } else {
      array<std::int32_t>("Int32", set.name, 1, set.values);
    }
  }
  for (const VtuField& field : fields) {
    array<double>("Float64", field.name, field.components, field.values);
  }
  xml_.text("</").text(section).text(">\n");
}

void VtuWriter::write_cells() {
  xml_.text("<Cells>\n");
  array<std::int64_t>("Int64", "connectivity", 1, grid_.E.reshaped());
  const std::int64_t nodes_each = grid_.E.rows();
  std::vector<std::int64_t> ends(static_cast<std::size_t>(grid_.E.cols()));
  for (std::size_t e = 0; e < ends.size(); ++e) {
    ends[e] = (static_cast<std::int64_t>(e) + 1) * nodes_each;
  }
  array<std::int64_t>("Int64", "offsets", 1, ends);
  array<std::uint8_t>("UInt8", "types", 1, std::vector(ends.size(), grid_.type));
  xml_.text("</Cells>\n");
}

std::string VtuWriter::write(std::span<const VtuField> point_fields,
                             std::span<const VtuField> cell_fields) {
  xml_.text("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" ");
  xml_.text("byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
  const std::string& names = grid_.region_names;
  if (!names.empty()) {
    xml_.text("<FieldData>\n");
    array<std::uint8_t>("UInt8", vtk_region_names_field, 1,
                        std::vector<unsigned char>(names.begin(), names.end()),
                        fmt::format(" NumberOfTuples=\"{}\"", names.size()));
    xml_.text("</FieldData>\n");
  }
  xml_.text("<Piece NumberOfPoints=\"").integer(grid_.V.cols());
  xml_.text("\" NumberOfCells=\"").integer(grid_.E.cols()).text("\">\n");
  arrays("PointData", grid_.point_arrays, point_fields);
  arrays("CellData", grid_.cell_arrays, cell_fields);
  xml_.text("<Points>\n");
  array<double>("Float64", "Points", 3, grid_.V.reshaped());
  xml_.text("</Points>\n");
  write_cells();
  xml_.text("</Piece>\n</UnstructuredGrid>\n");
  if (binary_) {
    xml_.text("<AppendedData encoding=\"raw\">\n_").text(appended_.take());
    xml_.text("\n</AppendedData>\n");
  }
  xml_.text("</VTKFile>\n");
  return xml_.take();
}

void check_fields(std::span<const VtuField> fields, int count) {
  for (const VtuField& field : fields) {
    PLIANT_ASSERT(field.components == 1 || field.components == 3, "a field has 1 or 3 components");
    PLIANT_ASSERT(std::ssize(field.values) == std::ptrdiff_t(field.components) * count,
                  "a field has a value for each point or cell");
  }
}

}  // namespace

std::string write_vtu(const VolumeMesh& mesh, const WriteOptions& options) {
  return write_vtu(mesh, {}, {}, options);
}

std::string write_vtu(const VolumeMesh& mesh, std::span<const VtuField> point_fields,
                      std::span<const VtuField> cell_fields, const WriteOptions& options) {
  check_fields(point_fields, mesh.vertex_count());
  check_fields(cell_fields, mesh.element_count());
  const Grid grid{mesh.V,
                  {mesh.E.data(), mesh.E.rows(), mesh.E.cols()},
                  vtk_type_number(mesh.type),
                  vtk_point_arrays(mesh),
                  vtk_cell_arrays(mesh),
                  vtk_region_names(mesh)};
  return VtuWriter(grid, options.binary).write(point_fields, cell_fields);
}

std::string write_vtu(const SurfaceMesh& mesh, std::span<const VtuField> point_fields,
                      const WriteOptions& options) {
  check_fields(point_fields, mesh.vertex_count());
  const Grid grid{mesh.V, {mesh.F.data(), 3, mesh.F.cols()}, vtk_triangle};
  return VtuWriter(grid, options.binary).write(point_fields, {});
}

}  // namespace pliant::io
