// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/sink.hpp"
#include "pliant/mesh/io/vtk_grid.hpp"
#include "pliant/mesh/io/vtk_legacy.hpp"

namespace pliant::io {
namespace {

// Names stand between blanks.
std::string encoded_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool plain = c > ' ' && c < 127 && c != '%' && c != '"';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

class VtkWriter {
 public:
  VtkWriter(const VolumeMesh& mesh, bool version5, bool binary)
      : mesh_(mesh), version5_(version5), binary_(binary), sink_(std::endian::big) {}

  std::string write();

 private:
  template <class T, class Value>
  void put(Value value) {
    if (binary_) {
      sink_.raw(static_cast<T>(value));
    } else if constexpr (std::is_same_v<T, double>) {
      sink_.number(value).text(" ");
    } else {
      sink_.integer(value).text(" ");
    }
  }
  void end_row() {
    if (!binary_) sink_.text("\n");
  }
  void end_data() {
    if (binary_) sink_.text("\n");
  }
  void write_cells();
  template <class T>
  void write_array(const std::string& name, std::span<const std::int64_t> values, const char* type);
  void write_arrays(const char* section, int count, const std::vector<VtkArray>& arrays);

  const VolumeMesh& mesh_;
  bool version5_, binary_;
  Sink sink_;
};

template <class T>
void VtkWriter::write_array(const std::string& name, std::span<const std::int64_t> values,
                            const char* type) {
  sink_.text(encoded_name(name)).text(" 1 ").integer(std::ssize(values)).text(" ");
  sink_.text(type).text("\n");
  for (const std::int64_t value : values) {
    put<T>(value);
    end_row();
  }
  end_data();
}

void VtkWriter::write_arrays(const char* section, int count, const std::vector<VtkArray>& arrays) {
  if (arrays.empty()) return;
  sink_.text(section).text(" ").integer(count).text("\nFIELD FieldData ");
  sink_.integer(std::ssize(arrays)).text("\n");
  for (const VtkArray& array : arrays) {
    if (version5_) {
      write_array<std::int64_t>(array.name, array.values, "vtktypeint64");
    } else if (array.flags) {
      write_array<std::uint8_t>(array.name, array.values, "unsigned_char");
    } else {
      write_array<std::int32_t>(array.name, array.values, "int");
    }
  }
}

void VtkWriter::write_cells() {
  const int elements = mesh_.element_count();
  const std::int64_t nodes_each = nodes_per_element(mesh_.type);
  sink_.text("CELLS ").integer(version5_ ? elements + 1 : elements).text(" ");
  sink_.integer(elements * (version5_ ? nodes_each : nodes_each + 1)).text("\n");
  if (version5_) {
    sink_.text("OFFSETS vtktypeint64\n");
    for (int e = 0; e <= elements; ++e) {
      put<std::int64_t>(e * nodes_each);
      end_row();
    }
    end_data();
    sink_.text("CONNECTIVITY vtktypeint64\n");
  }
  for (int e = 0; e < elements; ++e) {
    if (!version5_) put<std::int32_t>(nodes_each);
    for (const int node : mesh_.E.col(e)) {
      version5_ ? put<std::int64_t>(node) : put<std::int32_t>(node);
    }
    end_row();
  }
  end_data();
  sink_.text("CELL_TYPES ").integer(elements).text("\n");
  for (int e = 0; e < elements; ++e) {
    put<std::int32_t>(vtk_type_number(mesh_.type));
    end_row();
  }
  end_data();
}

std::string VtkWriter::write() {
  sink_.text("# vtk DataFile Version ").text(version5_ ? "5.1\n" : "4.2\n");
  sink_.text("written by Pliant\n").text(binary_ ? "BINARY\n" : "ASCII\n");
  sink_.text("DATASET UNSTRUCTURED_GRID\n");
  const std::string names = vtk_region_names(mesh_);
  if (!names.empty()) {
    std::vector<std::int64_t> bytes;
    for (const char c : names) bytes.push_back(static_cast<unsigned char>(c));
    sink_.text("FIELD FieldData 1\n");
    if (version5_) {
      write_array<std::int64_t>(vtk_region_names_field, bytes, "vtktypeint64");
    } else {
      write_array<std::uint8_t>(vtk_region_names_field, bytes, "unsigned_char");
    }
  }
  sink_.text("POINTS ").integer(mesh_.vertex_count()).text(" double\n");
  for (const auto& x : mesh_.V.colwise()) {
    for (const double coordinate : x) put<double>(coordinate);
    end_row();
  }
  end_data();
  write_cells();
  write_arrays("POINT_DATA", mesh_.vertex_count(), vtk_point_arrays(mesh_));
  write_arrays("CELL_DATA", mesh_.element_count(), vtk_cell_arrays(mesh_));
  return sink_.take();
}

}  // namespace

std::string write_vtk(const VolumeMesh& mesh, const WriteOptions& options) {
  const bool version5 = options.version == "5.1";
  if (!version5 && !options.version.empty() && options.version != "4.2") {
    throw Error({"", 0, "version of the legacy VTK format"}, "it cannot be written",
                options.version, "4.2 or 5.1");
  }
  return VtkWriter(mesh, version5, options.binary).write();
}

}  // namespace pliant::io
