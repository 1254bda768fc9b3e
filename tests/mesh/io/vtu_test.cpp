// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/vtu.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <zlib.h>

#include "mesh/io/encode_base64.hpp"
#include "mesh/io/hostile.hpp"
#include "mesh/io/text_reader.hpp"
#include "mesh/io/volume_models.hpp"
#include "pliant/mesh/io/vtu_data.hpp"

namespace pliant::io {
namespace {

using test::base64;
using test::replaced;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr test::TextAs<read_vtu> read{"a.vtu"};

TEST(Vtu, RoundTripsTheThreeKindsOfElements) {
  VolumeMesh bricks = test::composite_block_without_materials();
  bricks.regions[1].name = "two words & <\"\xC3\xBC\">";
  bricks.regions.push_back({"unused", -1});
  bricks.node_sets[0].name = "a & <b> \"c\"\td";
  bricks.node_sets.push_back({"empty", {}});
  for (const bool binary : {false, true}) {
    for (const VolumeMesh& mesh :
         {test::tet_block(4, 2, 2), bricks, test::quadratic_tet_block(2, 1, 1)}) {
      ReadReport report;
      const VolumeMesh again = read(write_vtu(mesh, {.binary = binary}), &report);
      test::expect_same_mesh(again, mesh);
      EXPECT_THAT(report.repairs, IsEmpty());
      EXPECT_THAT(report.notes, IsEmpty());
    }
  }
}

TEST(Vtu, WritesFieldsThatReadingLeavesOut) {
  const VolumeMesh mesh = test::tet_block(1, 1, 1);
  const std::vector<double> u(static_cast<std::size_t>(3 * mesh.vertex_count()), 0.1);
  const std::vector<double> energy(static_cast<std::size_t>(mesh.element_count()), 2.5);
  const VtuField point_field{"displacement", 3, u}, cell_field{"energy", 1, energy};
  for (const bool binary : {false, true}) {
    const std::string file =
        write_vtu(mesh, {&point_field, 1}, {&cell_field, 1}, {.binary = binary});
    EXPECT_THAT(file, HasSubstr("Name=\"displacement\" NumberOfComponents=\"3\""));
    ReadReport report;
    test::expect_same_geometry(read(file, &report), mesh);
    EXPECT_THAT(report.notes,
                ElementsAre("left out point data 'displacement'", "left out cell data 'energy'"));
  }
}

template <class T>
std::string items(std::endian order, std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    if (order != std::endian::native) std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof value);
  }
  return bytes;
}

// One tetrahedron in every encoding that the format has.
struct Encoding {
  std::endian order = std::endian::little;
  bool wide = false, zlib = false, inline_data = false, base64 = false;
  std::size_t block = 1 << 15;

  std::string lengths(std::initializer_list<std::size_t> values) const {
    std::string bytes;
    for (const std::size_t value : values) {
      bytes += wide ? items<std::uint64_t>(order, {value})
                    : items<std::uint32_t>(order, {static_cast<std::uint32_t>(value)});
    }
    return bytes;
  }
  std::string encoded(const std::string& data) const {
    std::string head = lengths({data.size()}), body = data;
    if (zlib) {
      const std::size_t blocks = (data.size() + block - 1) / block;
      head = lengths({blocks, block, data.size() % block});
      body.clear();
      for (std::size_t b = 0; b < blocks; ++b) {
        const std::string part = data.substr(b * block, block);
        std::string packed(compressBound(part.size()), '\0');
        uLongf size = packed.size();
        compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                 reinterpret_cast<const Bytef*>(part.data()), part.size());
        body += packed.substr(0, size);
        head += lengths({size});
      }
    }
    if (!base64 && !inline_data) return head + body;
    return zlib ? io::base64(head) + io::base64(body) : io::base64(head + body);
  }
  std::string file() const {
    std::string appended;
    const auto array = [&](const char* type, const char* name, const std::string& data) {
      const std::string text = encoded(data);
      std::string result = fmt::format("<DataArray type=\"{}\" Name=\"{}\" ", type, name);
      if (inline_data) return result + "format=\"binary\">\n " + text + "\n</DataArray>\n";
      result += fmt::format("format=\"appended\" offset=\"{}\"/>\n", appended.size());
      appended += text;
      return result;
    };
    std::string xml = fmt::format(
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"{}\" header_type=\"{}\"{}>",
        order == std::endian::little ? "LittleEndian" : "BigEndian", wide ? "UInt64" : "UInt32",
        zlib ? " compressor=\"vtkZLibDataCompressor\"" : "");
    xml += "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points>";
    xml += array("Float32", "Points", items<float>(order, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
    xml += "</Points><Cells>";
    xml += array("Int32", "connectivity", items<int>(order, {0, 1, 2, 3}));
    xml += array("UInt16", "offsets", items<std::uint16_t>(order, {4}));
    xml += array("UInt8", "types", items<std::uint8_t>(order, {10}));
    xml += "</Cells><CellData>";
    xml += array("Float64", "region", items<double>(order, {3}));
    xml += "</CellData></Piece></UnstructuredGrid>";
    if (!inline_data) {
      xml += fmt::format("<AppendedData encoding=\"{}\">\n  _{}\n</AppendedData>",
                         base64 ? "base64" : "raw", appended);
    }
    return xml + "</VTKFile>\n";
  }
};

TEST(Vtu, ReadsEveryEncoding) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    for (int bits = 0; bits < 16; ++bits) {
      const Encoding encoding{order,           (bits & 1) != 0, (bits & 2) != 0,
                              (bits & 4) != 0, (bits & 8) != 0, 20};
      const VolumeMesh mesh = read(encoding.file());
      EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-15) << bits;
      ASSERT_EQ(mesh.regions.size(), 1u);
      EXPECT_EQ(mesh.regions[0].name, "3");
    }
  }
}

// 2.4 GB of points and nothing else, in 2.4 MB.
std::string bomb() {
  constexpr std::size_t block = 24 << 20, blocks = 100;
  const std::string zeros(block, '\0');
  std::string packed(compressBound(block), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(zeros.data()), block);
  packed.resize(size);
  std::string data = Encoding{.wide = true}.lengths({blocks, block, 0});
  for (std::size_t b = 0; b < blocks; ++b) data += Encoding{.wide = true}.lengths({size});
  for (std::size_t b = 0; b < blocks; ++b) data += packed;
  return fmt::format(
             "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" "
             "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>"
             "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"0\">\n<Points>\n"
             "<DataArray type=\"Float64\" Name=\"Points\" format=\"appended\" offset=\"0\"/>"
             "</Points></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_",
             block * blocks / 24) +
         data + "</AppendedData></VTKFile>";
}

TEST(Vtu, ABombIsRefusedBeforeItIsInflated) {
  const std::string file = bomb();
  EXPECT_LT(file.size(), 3'000'000u);
  const auto largest_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = largest_kilobytes();
  EXPECT_THAT(test::refusal_of([&] { read(file); }),
              testing::ContainsRegex("a.vtu:4: reading the file would take too much memory: "
                                     "expected at most [23].. MB, for a file of 2.. MB"));
  EXPECT_LT(largest_kilobytes() - before, 20'000);
}

// What compresses best of all that is a mesh: a regular grid.
TEST(Vtu, ACompressedGridOfBricksIsReadWithinItsBudget) {
  const VolumeMesh mesh = test::brick_block(60, 60, 60);
  const Encoding encoding{.wide = true, .zlib = true, .block = 1 << 20};
  const auto bytes_of = [](const auto& values) {
    return std::string(reinterpret_cast<const char*>(values.data()),
                       static_cast<std::size_t>(values.size()) * sizeof(values[0]));
  };
  const Eigen::Matrix<std::int64_t, -1, 1> nodes = mesh.E.reshaped().cast<std::int64_t>();
  std::vector<std::int64_t> ends;
  for (int e = 1; e <= mesh.element_count(); ++e) ends.push_back(8 * e);
  const std::vector<std::uint8_t> types(ends.size(), 12);
  std::string appended;
  const auto array = [&](const char* type, const char* name, const std::string& data) {
    const std::size_t offset = appended.size();
    appended += encoding.encoded(data);
    return fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>",
                       type, name, offset);
  };
  std::string file = fmt::format(
      "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece NumberOfPoints=\"{}\" "
      "NumberOfCells=\"{}\"><Points>{}</Points><Cells>{}{}{}</Cells></Piece></UnstructuredGrid>",
      mesh.vertex_count(), mesh.element_count(),
      array("Float64", "Points", bytes_of(mesh.V.reshaped().eval())),
      array("Int64", "connectivity", bytes_of(nodes)), array("Int64", "offsets", bytes_of(ends)),
      array("UInt8", "types", bytes_of(types)));
  file += "<AppendedData encoding=\"raw\">_" + appended + "</AppendedData></VTKFile>";
  EXPECT_EQ(read(file).element_count(), mesh.element_count());
}

TEST(Vtu, BlocksOfFullSizeNeedNoLastSize) {
  const Encoding encoding{.zlib = true, .block = 24};
  EXPECT_NEAR(volume(read(encoding.file())), 1.0 / 6, 1e-15);
}

const std::string file =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n"
    "<!-- a comment -->\n"
    "<UnstructuredGrid>\n"
    "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
    "<Points>\n"
    "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
    "0 0 0 1 0 0\n"
    "0 1 0 0 0 1\n"
    "</DataArray></Points>\n"
    "<Cells>\n"
    "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\n"
    "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray>\n"
    "</Cells></Piece>\n"
    "</UnstructuredGrid></VTKFile>\n";

TEST(Vtu, JoinsPieces) {
  const std::size_t begin = file.find("<Piece"), end = file.find("</UnstructuredGrid>");
  std::string second = replaced(file.substr(begin, end - begin), "0 0 0 1 0 0", "0 0 0 -1 0 0");
  second = replaced(second, "0 1 2 3", "0 2 1 3");
  second = replaced(second, "</Piece>",
                    "<PointData><DataArray type=\"Int8\" Name=\"node_set:x\">0 1 0 0</DataArray>"
                    "</PointData></Piece>");
  ReadReport report;
  const VolumeMesh mesh = read(replaced(file, "</Piece>\n", "</Piece>\n" + second), &report);
  EXPECT_EQ(mesh.element_count(), 2);
  EXPECT_EQ(mesh.vertex_count(), 5);  // those on the common face are merged
  EXPECT_NEAR(volume(mesh), 1.0 / 3, 1e-15);
  EXPECT_THAT(mesh.node_sets[0].items, ElementsAre(4));
}

TEST(Vtu, RefusesBadFilesWithPlaceAndReason) {
  ASSERT_EQ(read(file).element_count(), 1);
  const Encoding raw{}, packed{.zlib = true, .inline_data = true};
  test::expect_refusals(
      {
          {"", "a.vtu:1", "this is not XML"},
          {"<a><b></a>", "a.vtu:1", "this is not XML"},
          {"<a/>", "a.vtu:1", "this is not a VTK file"},
          {replaced(file, "</Cells>", "</Celts>"), "a.vtu:15", "this is not XML"},
          {replaced(file, "\"UnstructuredGrid\"", "\"PolyData\""), "a.vtu:2", "found 'PolyData'"},
          {replaced(file, "version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\""), "a.vtu:2",
           "found 'vtkLZ4DataCompressor'"},
          {replaced(file, "version=\"0.1\"", "byte_order=\"Middle\""), "a.vtu:2", "order of bytes"},
          {replaced(file, "version=\"0.1\"", "header_type=\"Int8\""), "a.vtu:2", "type of headers"},
          {replaced(file, "NumberOfPoints=\"4\"", "NumberOfPoints=\"x\""), "a.vtu:5",
           "NumberOfPoints is not a count: found 'x'"},
          {replaced(file, "NumberOfPoints=\"4\"", "NumberOfPoints=\"-4\""), "a.vtu:5",
           "not a count"},
          {replaced(file, "NumberOfPoints=\"4\"", "NumberOfPoints=\"400000000\""), "a.vtu:7",
           "the array is too short"},
          {replaced(file, "NumberOfPoints=\"4\"", "NumberOfPoints=\"3\""), "a.vtu:9",
           "the array is longer than it should be"},
          {replaced(file, "0 1 0 0 0 1", "0 1 0 0 x 1"), "a.vtu:9",
           "not a finite number: found 'x'"},
          {replaced(file, "0 1 0 0 0 1", "0 1 0 0 0"), "a.vtu", "the file ends too early"},
          {replaced(file, "\"Float64\"", "\"Float16\""), "a.vtu:7", "found 'Float16'"},
          {replaced(file, "\"offsets\"", "\"ends\""), "a.vtu:11", "an array is missing"},
          {replaced(file, "0 1 2 3", "0 1 2 4"), "a.vtu", "cell 1: no such point: found '4'"},
          {replaced(file, ">10<", ">12<"), "a.vtu", "wrong number of points for a hexahedron"},
          {replaced(file, ">10<", ">13<"), "a.vtu", "cell 1: wrong number of points"},
          {replaced(file, ">4<", ">-4<"), "a.vtu:13", "do not ascend"},
          {replaced(file, "0 1 2 3", "0 1 1 3"), "a.vtu", "element 1"},
          {replaced(raw.file(), "offset=\"0\"", "offset=\"9999\""), "a.vtu:1",
           "the offset does not lie in the appended data"},
          {replaced(raw.file(), "offset=\"0\"", "offset=\"1\""), "a.vtu:1", "wrong length"},
          {replaced(raw.file(), "\"raw\"", "\"hex\""), "a.vtu", "found 'hex'"},
          {raw.file().substr(0, raw.file().find("\n  _")), "a.vtu", "an underscore"},
          {replaced(packed.file(), "NumberOfPoints=\"4\"", "NumberOfPoints=\"400000000\""),
           "a.vtu:1", "wrong length"},
          {replaced(packed.file(), "binary\">\n AQAA", "binary\">\n ////"), "a.vtu:1",
           "array 'Points'"},
      },
      [](const std::string& text) { read.any(text); });
}

TEST(Vtu, AClaimOfHugeCompressedDataAllocatesNothing) {
  const Encoding e{.wide = true};
  const std::size_t huge = std::size_t(1) << 40;
  const std::string data = e.lengths({1, huge, 0, 4}) + "abcd";
  EncodedBytes bytes(data, false);
  EXPECT_THAT(
      test::refusal_of([&] { read_vtu_array(bytes, {.wide_header = true, .zlib = true}, huge); }),
      HasSubstr("too short"));
}

TEST(Vtu, SurvivesDamagedFiles) {
  const VolumeMesh mesh = test::two_bricks();
  const Encoding packed{.wide = true, .zlib = true, .inline_data = true, .block = 20};
  const Encoding appended{.order = std::endian::big, .base64 = true};
  for (const std::string& good : {write_vtu(mesh, {.binary = false}), write_vtu(mesh, {}),
                                  packed.file(), appended.file(), file}) {
    const auto counts = test::read_damaged(good, [](std::string_view bytes) { read.any(bytes); });
    EXPECT_GT(counts.refused, counts.tried / 4);
  }
}

TEST(Vtu, SurvivesDeepNesting) {
  std::string deep;
  for (int i = 0; i < 300'000; ++i) deep += "<a>";
  EXPECT_THROW(read.any(deep), Error);
  for (int i = 0; i < 300'000; ++i) deep += "</a>";
  EXPECT_THROW(read.any(deep), Error);
  EXPECT_THROW(read.any("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + deep +
                        "</UnstructuredGrid></VTKFile>"),
               Error);
}

}  // namespace
}  // namespace pliant::io
