// SPDX-License-Identifier: MIT
#include "pliant/scene/toml.hpp"

#include <algorithm>

namespace pliant::scene {
namespace {
// toml++ 3.3 holds some kinds of broken text, such as "[[=", for faults of its own, and asserts.
struct ParserFault {};
constexpr void expect(bool good) {
  if (!good) throw ParserFault{};
}
}  // namespace
}  // namespace pliant::scene

#undef NDEBUG  // it would make toml++ assume what it asserts
#define TOML_ASSERT(expression) pliant::scene::expect(static_cast<bool>(expression))
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace pliant::scene {
namespace {

// Refuses what would nest too deeply, before toml++, which builds and frees its tables by
// recursion, sees it. Reads strings and comments as TOML does, so that what is in them does not
// count. Where the text is no TOML the two may disagree, but only after the place at which toml++
// gives up.
class DepthGuard {
 public:
  DepthGuard(std::string_view text, const File& file) : text_(text), file_(file) {}

  void check() {
    int dots = 0, depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '.') {
        if (++dots >= most_key_parts) refuse("a key of too many parts", most_key_parts);
      } else if (c == '[' || c == '{') {
        dots = 0;
        if (++depth > most_nesting) refuse("too many brackets in each other", most_nesting);
      } else if (c == ']' || c == '}') {
        dots = 0, --depth;
      } else if (c == ',' || c == '=') {
        dots = 0;
      } else if (c == '\n') {
        dots = 0, ++line_;
      }
      ++at_;
    }
  }

 private:
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool long_string = text_.substr(at_, 3) == three;
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        if (text_.substr(at_ + 1, 1) == "\n") ++line_;
        at_ += 2;
      } else if (long_string ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        at_ += long_string ? 3 : 1;
        while (long_string && at_ < text_.size() && text_[at_] == quote) ++at_;  // """a""""
        return;
      } else {
        if (text_[at_] == '\n') {
          ++line_;
          if (!long_string) return;  // no TOML
        }
        ++at_;
      }
    }
  }

  [[noreturn]] void refuse(const char* what, int most) const {
    throw Error({file_.name, line_, ""}, what, "", "at most " + std::to_string(most));
  }

  std::string_view text_;
  const File& file_;
  std::size_t at_ = 0;
  long line_ = 1;
};

// toml++ quotes what it stumbled over.
std::string harmless(std::string_view description) {
  std::string text(description.substr(0, 300));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

class Converter {
 public:
  explicit Converter(std::shared_ptr<const File> file) : file_(std::move(file)) {}

  Value convert(const toml::node& node) const {
    Value value{Other{}, source(node.source())};
    if (const auto* table = node.as_table()) {
      Object object;
      for (const auto& [key, child] : *table) {
        object.emplace(std::string(key.str()), Member{convert(child), source(key.source())});
      }
      value.data = std::move(object);
    } else if (const auto* array = node.as_array()) {
      List list;
      for (const toml::node& child : *array) list.push_back(convert(child));
      value.data = std::move(list);
    } else if (const auto* text = node.as_string()) {
      value.data = text->get();
    } else if (const auto* whole = node.as_integer()) {
      value.data = whole->get();
    } else if (const auto* number = node.as_floating_point()) {
      value.data = number->get();
    } else if (const auto* truth = node.as_boolean()) {
      value.data = truth->get();
    }
    return value;
  }

 private:
  Source source(const toml::source_region& region) const {
    return {file_, static_cast<long>(region.begin.line), static_cast<long>(region.begin.column)};
  }

  std::shared_ptr<const File> file_;
};

bool breaks_the_parser(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const ParserFault&) {
    return true;
  } catch (const toml::parse_error&) {
  }
  return false;
}

// The line of a text at which the parser breaks: the first that must be there for it to do so.
long breaking_line(std::string_view text) {
  std::vector<std::size_t> ends;  // of the lines
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ends.push_back(i + 1);
  }
  const auto line = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return !breaks_the_parser(text.substr(0, end));
  });
  return line - ends.begin() + 1;
}

}  // namespace

Value parse_toml(std::string_view text, std::shared_ptr<const File> file) {
  if (text.size() > most_bytes) {
    throw Error({file->name, 0, ""}, "the file is too large for a scene",
                std::to_string(text.size()) + " bytes",
                "at most " + std::to_string(most_bytes) + " bytes");
  }
  DepthGuard(text, *file).check();
  try {
    const toml::table table = toml::parse(text, std::string_view(file->name));
    Value root = Converter(file).convert(table);
    root.source = {file, 1, 1};
    return root;
  } catch (const toml::parse_error& error) {
    throw Error({file->name, static_cast<long>(error.source().begin.line), "",
                 static_cast<long>(error.source().begin.column)},
                harmless(error.description()));
  } catch (const ParserFault&) {
    throw Error({file->name, breaking_line(text), ""}, "this is no TOML");
  }
}

}  // namespace pliant::scene
