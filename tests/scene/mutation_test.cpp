// SPDX-License-Identifier: MIT
// Every key of every sample, missing, misspelt, of a wrong type, out of range, or a file that is
// not there: each must be an error that says where, or be without harm; none may crash.
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pliant/scene/canonical.hpp"
#include "pliant/scene/read_scene.hpp"
#include "scene/sample_lines.hpp"
#include "scene/samples.hpp"

namespace pliant {
namespace {

using test::SampleLine;

class Mutation : public ::testing::Test {
 protected:
  Mutation() { test::write_sample_files(folder_); }

  Scene parse(const std::string& text) const {
    return parse_scene(text, "scene.toml", folder_.path());
  }
  std::string error_of(const std::string& text) const {
    try {
      parse(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  static std::string with_line(const std::string& text, std::size_t index,
                               const std::string& line) {
    std::vector<std::string> lines = test::lines_of(text);
    lines[index] = line;
    return test::text_of(lines);
  }
  // Calls `test(scene, line)` for every line with a key.
  template <class F>
  void for_all_lines(const F& test) const {
    for (const std::string& scene : test::sample_scenes()) {
      for (const SampleLine& line : test::sample_lines(scene)) test(scene, line);
    }
  }
  // The value in the place of the line's own must give an error at that line.
  void expect_refused(const std::string& scene, const SampleLine& line, const std::string& value) {
    const std::string error = error_of(with_line(scene, line.index, line.key + " = " + value));
    EXPECT_TRUE(error.starts_with(fmt::format("scene.toml:{}:", line.index + 1)))
        << line.path << " = " << value << ": " << error;
    ++count_;
  }

  test::TemporaryFolder folder_;
  int count_ = 0;
};

TEST_F(Mutation, TheSamplesUseEveryKey) {
  std::set<const KeyInfo*> used;
  for_all_lines([&](const std::string&, const SampleLine& line) {
    ASSERT_TRUE(line.row) << line.path;
    used.insert(line.row);
  });
  for (const SchemaSection& section : schema()) {
    for (const KeyInfo& key : section.keys) {
      const bool is_section = key.type == KeyType::table || key.type == KeyType::tables ||
                              key.type == KeyType::named_tables;
      // `kind` is one row, and in the samples it takes every value.
      EXPECT_TRUE(is_section || used.contains(&key))
          << section.path << "." << key.name << " " << section.kind;
    }
  }
}

TEST_F(Mutation, EveryKeyIsReadAndMissedOnlyIfRequired) {
  for (const std::string& scene : test::sample_scenes()) {
    ASSERT_EQ(error_of(scene), "");
    const std::string whole = canonical(parse(scene));
    for (const SampleLine& line : test::sample_lines(scene)) {
      const std::string without = with_line(scene, line.index, "");
      const std::string error = error_of(without);
      if (line.row->required) {
        EXPECT_NE(error.find("'" + line.row->name + "' is missing"), error.npos)
            << line.path << ": " << error;
      }
      if (error.empty()) {
        // A `kind` may be the default; it is read all the same, as its keys are accepted.
        EXPECT_TRUE(line.row->name == "kind" || canonical(parse(without)) != whole)
            << "no effect: " << line.path;
      } else {
        EXPECT_EQ(error.find("scene.toml:"), 0u) << error;
        EXPECT_TRUE(std::isdigit(error[11])) << error;
      }
      ++count_;
    }
  }
  EXPECT_GE(count_, 100);
}

TEST_F(Mutation, AMisspeltKeyNamesTheNearest) {
  for_all_lines([&](const std::string& scene, const SampleLine& line) {
    for (const std::string& key :
         {line.key + "q", line.key.substr(0, line.key.size() - 1) + "zz"}) {
      const std::string error = error_of(with_line(scene, line.index, key + " = " + line.value));
      EXPECT_TRUE(error.starts_with(fmt::format("scene.toml:{}:", line.index + 1)) ||
                  line.row->name == "kind")
          << key << ": " << error;
      // A table of another kind than was meant may miss a key first.
      if (key.ends_with("q") && line.row->name != "kind") {
        EXPECT_NE(error.find("'" + line.row->name + "'"), error.npos) << error;
      }
      EXPECT_NE(error, "");
      ++count_;
    }
  });
  EXPECT_GE(count_, 200);
}

TEST_F(Mutation, AValueOfAWrongTypeIsRefused) {
  const std::vector<std::string> all = {"true",      "7",          "7.5",
                                        "\"seven\"", "[1, 2]",     "[\"a\", 2, 3]",
                                        "{ a = 1 }", "1979-05-27", "[[1, 2, 3]]"};
  const auto may_be = [](KeyType type) -> std::set<std::string> {
    switch (type) {
      case KeyType::truth:
        return {"true"};
      case KeyType::whole:
        return {"7"};
      case KeyType::number:
        return {"7", "7.5"};
      case KeyType::text:
      case KeyType::name:
      case KeyType::output_file:
        return {"\"seven\""};
      case KeyType::wholes:
      case KeyType::numbers:
        return {"[1, 2]"};
      case KeyType::vectors:
        return {"[[1, 2, 3]]"};
      default:
        return {};
    }
  };
  for_all_lines([&](const std::string& scene, const SampleLine& line) {
    for (const std::string& value : all) {
      if (!may_be(line.row->type).contains(value)) expect_refused(scene, line, value);
    }
  });
  EXPECT_GE(count_, 500);
}

TEST_F(Mutation, AValueOutOfRangeIsRefused) {
  for_all_lines([&](const std::string& scene, const SampleLine& line) {
    const KeyInfo& row = *line.row;
    const bool whole = row.type == KeyType::whole || row.type == KeyType::wholes;
    const auto number = [&](double x) {
      return whole ? fmt::format("{}", static_cast<long>(x)) : fmt::format("{}", x);
    };
    const auto value = [&](const std::string& x) {
      switch (row.type) {
        case KeyType::vector:
          return fmt::format("[1, {}, 1]", x);
        case KeyType::vectors:
          return fmt::format("[[1, {}, 1]]", x);
        case KeyType::wholes:
        case KeyType::numbers:
          return fmt::format("[{}]", x);
        case KeyType::rotation:
          return fmt::format("[1, {}, 1, 1]", x);
        default:
          return x;
      }
    };
    switch (row.type) {
      case KeyType::number:
      case KeyType::vector:
      case KeyType::vectors:
      case KeyType::numbers:
      case KeyType::rotation:
        for (const char* x : {"inf", "-inf", "nan"}) expect_refused(scene, line, value(x));
        [[fallthrough]];
      case KeyType::whole:
      case KeyType::wholes:
        if (std::isfinite(row.least)) {
          expect_refused(scene, line, value(number(row.above ? row.least : row.least - 1)));
          expect_refused(scene, line, value(number(row.least - 1000)));
        }
        if (std::isfinite(row.most))
          expect_refused(scene, line, value(number(row.most * 1000 + 1)));
        break;
      case KeyType::option:
        expect_refused(scene, line, "\"" + row.options[0] + "q\"");
        expect_refused(scene, line, "\"\"");
        break;
      case KeyType::options:
        expect_refused(scene, line, "[\"" + row.options[0] + "q\"]");
        break;
      case KeyType::colour:
        for (const char* c : {"\"red\"", "\"#12345\"", "\"#12345g\"", "\"1234567\""}) {
          expect_refused(scene, line, c);
        }
        break;
      case KeyType::file:
        for (const char* f : {"\"absent.obj\"", "\".\"", "\"\"", "\"a\\u0000b\""}) {
          expect_refused(scene, line, f);
        }
        break;
      case KeyType::files:
        expect_refused(scene, line, "[\"absent.toml\"]");
        break;
      case KeyType::parameters:
        expect_refused(scene, line, "{ lenght = 50 }");
        expect_refused(scene, line, "{ length = -50 }");
        expect_refused(scene, line, "{ length = \"long\" }");
        break;
      default:
        break;
    }
  });
  EXPECT_GE(count_, 100);
}

TEST_F(Mutation, DamagedExamplesAreErrorsOrScenes) {
  for (const auto& entry : std::filesystem::directory_iterator(PLIANT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream stream(entry.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto survives = [&](const std::string& damaged) {
      try {
        parse_scene(damaged, "scene.toml", entry.path().parent_path());
      } catch (const Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find("scene.toml:"), 0u) << what;
        EXPECT_TRUE(std::isdigit(what[11])) << what;
      }
    };
    for (std::size_t i = 0; i < text.size(); i += 7) {
      survives(text.substr(0, i));
      std::string changed = text;
      changed[i] = "\"[]{}=.#'\n\xff"[i % 11];
      survives(changed);
    }
  }
}

}  // namespace
}  // namespace pliant
