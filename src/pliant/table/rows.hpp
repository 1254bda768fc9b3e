// SPDX-License-Identifier: MIT
// The rows of a table without the types of what they are bound to: a struct is known by its address.
// Table<T> (table.hpp) makes them of the members of T; what reads, writes and documents is compiled
// once, here, and not for every struct. Internal.
#pragma once

#include <functional>
#include <memory>

#include "pliant/table/codec.hpp"

namespace pliant::table {

using Sections = std::vector<SchemaSection>;

// A value of a default as it is written in TOML.
std::string toml_text(const Json& value);

// Where a member is within a struct; null: it is absent.
using At = std::function<const void*(const void*)>;
using Check = std::function<void(const Value&, void*, Reader&)>;

struct Row {
  KeyInfo info;
  std::function<void(const Value&, void*, Reader&)> read;
  std::function<Json(const void*)> write;  // null: absent
  // Of a table below: its sections, with `path` as its name.
  std::function<void(const std::string& path, const std::string& within, Sections&)> document = {};
};

// A list that is a member of a struct.
struct ListAt {
  std::function<void(void*)> clear;
  std::function<void*(void*)> append;            // the new one
  std::function<std::size_t(const void*)> size;  // of one that is there
  std::function<const void*(const void*, std::size_t)> item;
  std::function<bool(const void*)> present;
};

class Rows {
 public:
  // `make`: the struct with its defaults.
  Rows(std::string description, std::function<std::shared_ptr<void>()> make)
      : description_(std::move(description)), make_(std::move(make)) {}

  const std::vector<Row>& rows() const { return rows_; }

  void add(Row row) { rows_.push_back(std::move(row)); }
  void key(const Key& key, At at, const AnyCodec& codec);
  // `get`: the position among the words, or none; `set`: by the position.
  void option(const Key& key, std::vector<std::string> words,
              std::function<std::optional<std::size_t>(const void*)> get,
              std::function<void(void*, std::size_t)> set);
  // Of a list of words: one truth for each of them.
  void options(const Key& key, std::vector<std::string> words,
               std::function<std::vector<std::size_t>(const void*)> get,
               std::function<void(void*, const std::vector<bool>&)> set);
  // `enter`: makes it if it may be absent.
  void table(const Key& key, At at, std::function<void*(void*)> enter, const Rows& below);
  void include(const At& at, const Rows& below);
  void tables(const Key& key, const ListAt& list, const Rows& below);
  // `name`: of an item.
  void named_tables(const Key& key, const ListAt& list, std::function<std::string&(void*)> name,
                    const Rows& below);
  // `at`: null if it is not the chosen one.
  void alternative(std::string kind, const Rows& below, std::function<void(void*)> choose, At at);

  void later(std::string key) { later_.push_back(std::move(key)); }
  void later_kind(std::string kind) { later_kinds_.push_back(std::move(kind)); }
  void require_kind() { kind_required_ = true; }
  void check(Check check) { checks_.push_back(std::move(check)); }

  void read(const Value& value, void* out, Reader& reader) const;
  Json write(const void* from) const;
  // Appends the sections of this table and of those below it; see SchemaSection.
  void document(const std::string& path, const std::string& within, bool list, Sections& out) const;

 private:
  struct Alternative {
    std::string kind, description;
    std::vector<Row> rows;
    std::function<void(void*)> choose;
    At at;
  };

  KeyInfo kind_key() const;
  // Sets the alternative that the table names, or keeps the default one.
  const Alternative* choose(const Object& object, const Source& source, void* out,
                            Reader& reader) const;
  void refuse_unknown(const Object& object, const std::vector<const Row*>& known,
                      Reader& reader) const;

  std::string description_;
  std::function<std::shared_ptr<void>()> make_;
  std::vector<Row> rows_;
  std::vector<Alternative> alternatives_;
  std::vector<std::string> later_, later_kinds_;
  std::vector<Check> checks_;
  bool kind_required_ = false;
};

}  // namespace pliant::table
