// SPDX-License-Identifier: MIT
#include "pliant/base/tensor_file.hpp"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using ::testing::HasSubstr;

struct Sample {
  Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Random(3, 5);
  Eigen::VectorXf weights = Eigen::VectorXf::Random(7);
  Eigen::Matrix<std::uint8_t, Eigen::Dynamic, 1> flags =
      Eigen::Matrix<std::uint8_t, Eigen::Dynamic, 1>::Constant(3, 9);
  Eigen::MatrixXi empty = Eigen::MatrixXi(4, 0);

  TensorWriter writer() const {
    TensorWriter writer;
    writer.set("units", "m");
    writer.add("points", points);
    writer.add("weights", weights);
    writer.add("flags", flags);
    writer.add("empty", empty);
    return writer;
  }
};

// A header with the given JSON and `data` zero bytes behind it, in aligned memory.
struct Crafted {
  explicit Crafted(const std::string& json, std::size_t data = 0) {
    std::string text = json;
    text.append((64 - (8 + text.size()) % 64) % 64, ' ');
    const std::uint64_t size = text.size();
    storage.resize((8 + text.size() + data + 7) / 8);
    length = 8 + text.size() + data;
    char* bytes = reinterpret_cast<char*>(storage.data());
    std::memcpy(bytes, &size, 8);
    std::memcpy(bytes + 8, text.data(), text.size());
  }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(storage.data()), length}; }
  std::vector<std::uint64_t> storage;
  std::size_t length;
};

std::string error_of(const Crafted& crafted) {
  try {
    const TensorView view(crafted.bytes(), "crafted");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TensorFile, ReadsBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const Sample sample;
  sample.writer().write(folder / "a.pliant");
  const TensorFile file(folder / "a.pliant");
  EXPECT_EQ(file.metadata().at("units"), "m");
  EXPECT_EQ(file.tensors().size(), 4u);
  EXPECT_EQ(file.matrix<double>("points", 3), sample.points);
  EXPECT_EQ(file.matrix<float>("weights"), sample.weights);
  EXPECT_EQ(file.matrix<std::uint8_t>("flags"), sample.flags);
  EXPECT_EQ(file.matrix<int>("empty", 4).cols(), 0);
  EXPECT_EQ(file.at("points").shape, (std::vector<std::int64_t>{5, 3}));
}

TEST(TensorView, ReadsTheTensorsInPlace) {
  const Sample sample;
  const std::string written = sample.writer().bytes();
  std::vector<std::uint64_t> bytes(written.size() / 8 + 1);
  std::memcpy(bytes.data(), written.data(), written.size());
  const char* const begin = reinterpret_cast<const char*>(bytes.data());
  const TensorView view({begin, written.size()}, "bytes");
  const TensorView copy = view;
  EXPECT_EQ(copy.name(), "bytes");
  EXPECT_EQ(copy.metadata().at("units"), "m");
  EXPECT_EQ(copy.matrix<double>("points", 3), sample.points);
  const std::string_view points = copy.at("points").bytes;
  EXPECT_GE(points.data(), begin);
  EXPECT_LE(points.data() + points.size(), begin + written.size());
}

TEST(TensorFile, ContentHashIsOfTheTensorsAlone) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(5, 0, 1);
  TensorWriter a, b, c;
  a.add("x", x);
  b.keep("x", Eigen::VectorXd(x));
  b.set("note", "the metadata do not count");
  c.add("y", x);
  const std::string bytes = b.bytes();
  EXPECT_EQ(a.content_hash(), b.content_hash());
  EXPECT_EQ(a.content_hash(), TensorFile(bytes, "b").content_hash());
  EXPECT_NE(a.content_hash(), c.content_hash());
}

TEST(TensorFile, SaysWhichTensorIsWrong) {
  const test::TemporaryFolder folder;
  Sample().writer().write(folder / "a.pliant");
  const TensorFile file(folder / "a.pliant");
  EXPECT_THROW(
      {
        try {
          file.matrix<double>("colour");
        } catch (const Error& e) {
          EXPECT_THAT(e.what(), HasSubstr("a.pliant: colour: no such tensor"));
          throw;
        }
      },
      Error);
  EXPECT_THROW(file.matrix<float>("points"), Error);
  EXPECT_THROW(file.matrix<double>("points", 4), Error);
}

TEST(TensorView, RefusesHeadersThatDoNotFitTheData) {
  const char* entry = R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})";
  EXPECT_EQ(error_of(Crafted(entry, 16)), "");
  EXPECT_THAT(error_of(Crafted(entry, 8)), HasSubstr("larger than the file"));
  EXPECT_THAT(error_of(Crafted(entry, 24)), HasSubstr("bytes behind the last tensor"));
  EXPECT_THAT(error_of(Crafted("[1]")), HasSubstr("not a JSON object"));
  EXPECT_THAT(error_of(Crafted(R"({"a":3})")), HasSubstr("a: expected an object"));
  EXPECT_THAT(error_of(Crafted(R"({"a":{"dtype":"F65","shape":[],"data_offsets":[0,8]}})", 8)),
              HasSubstr("unknown dtype: found 'F65'"));
  EXPECT_THAT(error_of(Crafted(R"({"a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]}})", 8)),
              HasSubstr("not a whole number"));
  EXPECT_THAT(
      error_of(Crafted(
          R"({"a":{"dtype":"F64","shape":[4294967296,4294967296,2],"data_offsets":[0,8]}})", 8)),
      HasSubstr("larger than the file"));
  EXPECT_THAT(error_of(Crafted(
                  R"({"a":{"dtype":"U8","shape":[0,18446744073709551615],"data_offsets":[0,0]}})")),
              HasSubstr("larger than the file"));
  EXPECT_THAT(error_of(Crafted(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[8,0]}})", 8)),
              HasSubstr("outside of the file"));
  EXPECT_THAT(error_of(Crafted(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},
                                   "b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}})",
                               12)),
              HasSubstr("overlap or leave a gap"));
  EXPECT_THAT(error_of(Crafted(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
                                   "b":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})",
                               9)),
              HasSubstr("not aligned"));
  EXPECT_THAT(error_of(Crafted(R"({"__metadata__":{"k":1}})")), HasSubstr("not a string"));
  EXPECT_THAT(error_of(Crafted(std::string(100000, '['))), HasSubstr("not a JSON object"));
}

// Every mutation is refused or gives tensors that lie inside the bytes (the sanitizers watch).
TEST(TensorView, SurvivesTruncationAndFlippedBytes) {
  const std::string good = Sample().writer().bytes();
  Random random(1);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    if (round % 2 == 0) {
      bad.resize(static_cast<std::size_t>(random.below(static_cast<int>(good.size()))));
    } else {
      for (int k = 0; k < 3; ++k) {
        bad[static_cast<std::size_t>(random.below(static_cast<int>(bad.size())))] ^=
            static_cast<char>(1 + random.below(255));
      }
    }
    std::vector<std::uint64_t> aligned(bad.size() / 8 + 1);
    std::memcpy(aligned.data(), bad.data(), bad.size());
    try {
      const TensorView file({reinterpret_cast<const char*>(aligned.data()), bad.size()}, "bad");
      unsigned sum = 0;
      for (const auto& [name, info] : file.tensors()) {
        for (const char c : info.bytes) sum += static_cast<unsigned char>(c);
      }
      EXPECT_GE(sum, 0u);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("bad"));
      ++refused;
    }
  }
  EXPECT_GE(refused, 1000);  // every truncation, and many of the flips
}

// Of a file that was written, each single bit that flips is noticed when it is opened.
TEST(TensorFile, EveryFlippedBitIsNoticed) {
  const test::TemporaryFolder folder;
  const std::string good = Sample().writer().bytes();
  const auto write = [&](const std::string& bytes) {
    std::ofstream(folder / "a.pliant", std::ios::binary) << bytes;
  };
  write(good);
  EXPECT_TRUE(TensorFile(folder / "a.pliant").has_hashes());
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    write(bad);
    EXPECT_THROW(TensorFile(folder / "a.pliant"), Error) << "bit " << bit;
  }
}

TEST(TensorFile, SaysWhichTensorIsDamaged) {
  const test::TemporaryFolder folder;
  std::string bytes = Sample().writer().bytes();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);  // of the flags, which come last
  std::ofstream(folder / "a.pliant", std::ios::binary) << bytes;
  try {
    const TensorFile file(folder / "a.pliant");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.pliant: flags: the file is damaged"));
  }
}

TEST(TensorFile, TakesFilesOfOthersWithoutHashes) {
  const test::TemporaryFolder folder;
  const Crafted crafted(R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})", 16);
  std::ofstream(folder / "a.safetensors", std::ios::binary) << crafted.bytes();
  EXPECT_FALSE(TensorFile(folder / "a.safetensors").has_hashes());
}

TEST(TensorFile, NamesTheFileWhoseMetadataLackAKey) {
  const std::string bytes = Sample().writer().bytes();
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const TensorView view({reinterpret_cast<const char*>(aligned.data()), bytes.size()}, "x.pliant");
  EXPECT_EQ(view.need_metadata("units"), "m");
  try {
    view.need_metadata("regions");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.pliant: regions: this is missing"));
  }
}

}  // namespace
}  // namespace pliant
