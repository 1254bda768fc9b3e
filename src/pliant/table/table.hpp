// SPDX-License-Identifier: MIT
// The keys of one table of a file, bound to the members of a struct T: the same rows read a
// T, write its canonical form and document it. Internal.
//
//   Table<Damping> t;
//   t.key({.name = "alpha", .unit = "1/s", .least = 0, .description = "..."}, &Damping::alpha);
//
// A table may have alternatives, chosen by its key `kind`, each with a struct of its own in a
// std::variant: T itself, or a member of it.
#pragma once

#include <algorithm>
#include <functional>

#include "pliant/base/assert.hpp"
#include "pliant/base/nearest_name.hpp"
#include "pliant/table/codec.hpp"

namespace pliant::table {

// A value of a default as it is written in TOML.
std::string toml_text(const Json& value);

using Sections = std::vector<SchemaSection>;

template <class T>
class Table {
 public:
  struct Field {
    KeyInfo info;
    std::function<void(const Value&, T&, Reader&)> read;
    std::function<Json(const T&)> write;  // null: absent
    // Of a table below: its sections, with `path` as its name.
    std::function<void(const std::string& path, const std::string& within, Sections&)> document =
        {};
  };

  explicit Table(std::string description) : description_(std::move(description)) {}

  const std::vector<Field>& fields() const { return fields_; }
  const std::string& description() const { return description_; }

  void add(Field field) { fields_.push_back(std::move(field)); }

  template <class V>
  void key(KeyInfo info, V T::*member) {
    if (info.type == KeyType::number) info.type = Codec<V>::type;
    add({info,
         [info, member](const Value& v, T& t, Reader& r) {
           t.*member = Codec<V>::read(v, info, r);
         },
         [member](const T& t) { return Codec<V>::write(t.*member); }});
  }

  // By functions: std::optional<E> get(const T&), void set(T&, E).
  template <class E, class Get, class Set>
  void option(KeyInfo info, const Words<E>& words, Get get, Set set) {
    info.type = KeyType::option;
    for (const Word<E>& w : words) info.options.push_back(w.word);
    add({info,
         [info, words, set](const Value& v, T& t, Reader& r) {
           set(t, words[read_option(v, info, r)].value);
         },
         [words, get](const T& t) {
           const std::optional<E> e = get(t);
           return e ? Json(word_of(words, *e)) : Json();
         }});
  }
  template <class E>
  void option(KeyInfo info, const Words<E>& words, E T::*member) {
    option(
        std::move(info), words, [member](const T& t) { return std::optional<E>(t.*member); },
        [member](T& t, E e) { t.*member = e; });
  }
  template <class E>
  void option(KeyInfo info, const Words<E>& words, std::optional<E> T::*member) {
    option(
        std::move(info), words, [member](const T& t) { return t.*member; },
        [member](T& t, E e) { t.*member = e; });
  }
  // A list of words without repetition; the canonical form has them in the order of `words`.
  template <class E>
  void options(KeyInfo info, const Words<E>& words, std::vector<E> T::*member) {
    info.type = KeyType::options;
    for (const Word<E>& w : words) info.options.push_back(w.word);
    add({info,
         [info, words, member](const Value& v, T& t, Reader& r) {
           const List* list = std::get_if<List>(&v.data);
           if (!list) r.refuse(v, info);
           std::vector<bool> wanted(words.size());
           for (std::size_t i = 0; i < list->size(); ++i) {
             const Reader::Step step(r, std::to_string(i));
             wanted[read_option((*list)[i], info, r)] = true;
           }
           (t.*member).clear();
           for (std::size_t i = 0; i < words.size(); ++i) {
             if (wanted[i]) (t.*member).push_back(words[i].value);
           }
         },
         [words, member](const T& t) {
           Json out = Json::array();
           for (const E e : t.*member) out.push_back(word_of(words, e));
           return out;
         }});
  }

  template <class S>
  void table(KeyInfo info, S T::*member, const Table<S>& below) {
    info.type = KeyType::table;
    add({info, [member, below](const Value& v, T& t, Reader& r) { below.read(v, t.*member, r); },
         [member, below](const T& t) { return below.write(t.*member); }, documented(below, false)});
  }
  // Absent unless the file has it.
  template <class S>
  void table(KeyInfo info, std::optional<S> T::*member, const Table<S>& below) {
    info.type = KeyType::table;
    add({info,
         [member, below](const Value& v, T& t, Reader& r) {
           below.read(v, (t.*member).emplace(), r);
         },
         [member, below](const T& t) { return t.*member ? below.write(*(t.*member)) : Json(); },
         documented(below, false)});
  }
  // The keys of a struct within T, as if they were T's own.
  template <class S>
  void include(S T::*member, const Table<S>& below) {
    for (const auto& field : below.fields()) {
      add({field.info,
           [field, member](const Value& v, T& t, Reader& r) { field.read(v, t.*member, r); },
           [field, member](const T& t) { return field.write(t.*member); }, field.document});
    }
    for (const auto& check : below.checks_) {
      checks_.push_back(
          [member, check](const Value& v, T& t, Reader& r) { check(v, t.*member, r); });
    }
  }
  // [[path]]
  template <class S>
  void tables(KeyInfo info, std::vector<S> T::*member, const Table<S>& below) {
    info.type = KeyType::tables;
    add({info,
         [info, member, below](const Value& v, T& t, Reader& r) {
           t.*member = read_list(v, info, below, r);
         },
         [member, below](const T& t) { return write_list(t.*member, below); },
         documented(below, true)});
  }
  template <class S>
  void tables(KeyInfo info, std::optional<std::vector<S>> T::*member, const Table<S>& below) {
    info.type = KeyType::tables;
    add({info,
         [info, member, below](const Value& v, T& t, Reader& r) {
           t.*member = read_list(v, info, below, r);
         },
         [member, below](const T& t) {
           return t.*member ? write_list(*(t.*member), below) : Json();
         },
         documented(below, true)});
  }
  // [path.NAME], in alphabetical order.
  template <class S>
  void named_tables(KeyInfo info, std::vector<S> T::*member, std::string S::*name,
                    const Table<S>& below) {
    info.type = KeyType::named_tables;
    add({info,
         [info, member, name, below](const Value& v, T& t, Reader& r) {
           const Object* object = std::get_if<Object>(&v.data);
           if (!object) r.refuse(v, info);
           for (const auto& [key, item] : *object) {
             const Reader::Step step(r, key);
             if (!is_name(key)) {
               r.fail(item.key, "bad name", key, "1 to 64 letters, digits, - and _");
             }
             S& s = (t.*member).emplace_back();
             s.*name = key;
             below.read(item.value, s, r);
           }
         },
         [member, name, below](const T& t) {
           Json out = Json::object();
           for (const S& s : t.*member) out[s.*name] = below.write(s);
           return out;
         },
         [below](const std::string& path, const std::string& within, Sections& out) {
           below.document(path + ".NAME", within, false, out);
         }});
  }

  // The keys of A if `kind` is this word; T is the variant.
  template <class A>
  void alternative(std::string kind, const Table<A>& below) {
    alternative(
        std::move(kind), below, [](auto& t) -> auto& { return t; });
  }
  // The same where the variant is a member of T.
  template <class A, class V>
  void alternative(std::string kind, V T::*member, const Table<A>& below) {
    alternative(
        std::move(kind), below, [member](auto& t) -> auto& { return t.*member; });
  }

  // Keys and kinds that are planned: refused as such, not as unknown.
  void later(std::string key) { later_.push_back(std::move(key)); }
  void later_kind(std::string kind) { later_kinds_.push_back(std::move(kind)); }

  // `kind` must be given.
  void require_kind() { kind_required_ = true; }

  // Called when all keys of a T are read, in the order added: checks that need several of them.
  void check(std::function<void(const Value&, T&, Reader&)> check) {
    checks_.push_back(std::move(check));
  }

  void read(const Value& value, T& out, Reader& reader) const {
    const Object* object = std::get_if<Object>(&value.data);
    if (!object) reader.fail(value.source, "wrong value", text_of(value), "a table");
    std::vector<const Field*> known;
    for (const Field& field : fields_) known.push_back(&field);
    if (const Alternative* chosen = choose(*object, value.source, out, reader)) {
      for (const Field& field : chosen->fields) known.push_back(&field);
    }
    refuse_unknown(*object, known, reader);
    for (const Field* field : known) {
      const auto it = object->find(field->info.name);
      if (it != object->end()) {
        const Reader::Step step(reader, field->info.name);
        field->read(it->second.value, out, reader);
      } else if (field->info.required) {
        reader.fail(value.source, "the key '" + field->info.name + "' is missing", "",
                    allowed_text(field->info));
      }
    }
    for (const auto& check : checks_) check(value, out, reader);
  }

  Json write(const T& t) const {
    Json out = Json::object();
    const auto put = [&](const Field& field) {
      Json value = field.write(t);
      if (!value.is_null()) out[field.info.name] = std::move(value);
    };
    for (const Field& field : fields_) put(field);
    for (const Alternative& a : alternatives_) {
      if (!a.is_chosen(t)) continue;
      out["kind"] = a.kind;
      for (const Field& field : a.fields) put(field);
    }
    return out;
  }

  // Appends the sections of this table and of those below it; see SchemaSection.
  void document(const std::string& path, const std::string& within, bool list,
                Sections& out) const {
    T t{};
    SchemaSection section{path, list, "", within, description_, {}};
    if (!alternatives_.empty()) section.keys.push_back(kind_key());
    for (const Field& field : fields_) section.keys.push_back(with_default(field, t));
    out.push_back(std::move(section));
    document_below(path, within, fields_, out);
    for (const Alternative& a : alternatives_) {
      SchemaSection keys{path, list, a.kind, within, a.description, {}};
      a.choose(t);
      for (const Field& field : a.fields) keys.keys.push_back(with_default(field, t));
      out.push_back(std::move(keys));
      document_below(path, path + ".kind = \"" + a.kind + "\"", a.fields, out);
    }
  }

 private:
  template <class Other>
  friend class Table;

  struct Alternative {
    std::string kind, description;
    std::vector<Field> fields;
    std::function<void(T&)> choose;
    std::function<bool(const T&)> is_chosen;
  };

  template <class E>
  static std::string word_of(const Words<E>& words, E e) {
    const auto it =
        std::find_if(words.begin(), words.end(), [&](const Word<E>& w) { return w.value == e; });
    PLIANT_ASSERT(it != words.end(), "every value of an enumeration has a word");
    return it->word;
  }

  template <class A, class Get>
  void alternative(std::string kind, const Table<A>& below, Get get) {
    Alternative a{std::move(kind),
                  below.description(),
                  {},
                  [get](T& t) {
                    if (!std::holds_alternative<A>(get(t))) get(t) = A{};
                  },
                  [get](const T& t) { return std::holds_alternative<A>(get(t)); }};
    for (const auto& field : below.fields()) {
      a.fields.push_back(
          {field.info,
           [field, get](const Value& v, T& t, Reader& r) { field.read(v, std::get<A>(get(t)), r); },
           [field, get](const T& t) { return field.write(std::get<A>(get(t))); }, field.document});
    }
    alternatives_.push_back(std::move(a));
    for (const auto& check : below.checks_) {
      checks_.push_back([get, check](const Value& v, T& t, Reader& r) {
        if (A* chosen = std::get_if<A>(&get(t))) check(v, *chosen, r);
      });
    }
  }

  template <class S>
  static std::vector<S> read_list(const Value& value, const KeyInfo& info, const Table<S>& below,
                                  Reader& reader) {
    const List* list = std::get_if<List>(&value.data);
    if (!list) reader.refuse(value, info);
    std::vector<S> out;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Reader::Step step(reader, std::to_string(i));
      below.read((*list)[i], out.emplace_back(), reader);
    }
    return out;
  }
  template <class S>
  static Json write_list(const std::vector<S>& list, const Table<S>& below) {
    Json out = Json::array();
    for (const S& s : list) out.push_back(below.write(s));
    return out;
  }

  template <class S>
  static auto documented(const Table<S>& below, bool list) {
    return [below, list](const std::string& path, const std::string& within, Sections& out) {
      below.document(path, within, list, out);
    };
  }
  static void document_below(const std::string& path, const std::string& within,
                             const std::vector<Field>& fields, Sections& out) {
    for (const Field& field : fields) {
      if (!field.document) continue;
      field.document(path.empty() ? field.info.name : path + "." + field.info.name, within, out);
    }
  }

  static KeyInfo with_default(const Field& field, const T& t) {
    KeyInfo info = field.info;
    const bool section = field.document != nullptr;
    if (!info.required && !section && info.default_text.empty()) {
      info.default_text = toml_text(field.write(t));
    }
    return info;
  }

  KeyInfo kind_key() const {
    KeyInfo key{.name = "kind", .type = KeyType::option, .description = "Which of these it is."};
    const T t{};
    for (const Alternative& a : alternatives_) {
      key.options.push_back(a.kind);
      if (a.is_chosen(t)) key.default_text = toml_text(a.kind);
    }
    if (kind_required_) key.required = true, key.default_text.clear();
    return key;
  }

  // Sets the alternative that the table names, or keeps the default one.
  const Alternative* choose(const Object& object, const Source& source, T& out,
                            Reader& reader) const {
    if (alternatives_.empty()) return nullptr;
    const auto it = object.find("kind");
    if (it != object.end()) {
      const Reader::Step step(reader, "kind");
      const std::string* word = std::get_if<std::string>(&it->second.value.data);
      if (word &&
          std::find(later_kinds_.begin(), later_kinds_.end(), *word) != later_kinds_.end()) {
        reader.fail(it->second.value.source, "this kind is not supported yet", *word,
                    allowed_text(kind_key()));
      }
      const Alternative& a = alternatives_[read_option(it->second.value, kind_key(), reader)];
      a.choose(out);
      return &a;
    }
    if (kind_required_) {
      reader.fail(source, "the key 'kind' is missing", "", allowed_text(kind_key()));
    }
    const auto a = std::find_if(alternatives_.begin(), alternatives_.end(),
                                [&](const Alternative& x) { return x.is_chosen(out); });
    return &*a;
  }

  void refuse_unknown(const Object& object, const std::vector<const Field*>& known,
                      Reader& reader) const {
    const auto is_known = [&](const std::string& key) {
      return (!alternatives_.empty() && key == "kind") ||
             std::any_of(known.begin(), known.end(),
                         [&](const Field* f) { return f->info.name == key; });
    };
    // The first in the file.
    const Object::value_type* first = nullptr;
    for (const auto& item : object) {
      const Source& here = item.second.key;
      if (is_known(item.first)) continue;
      if (!first || std::pair(here.line, here.column) <
                        std::pair(first->second.key.line, first->second.key.column)) {
        first = &item;
      }
    }
    if (!first) return;
    const std::string& name = first->first;
    if (std::find(later_.begin(), later_.end(), name) != later_.end()) {
      reader.fail(first->second.key, "the key '" + name + "' is not supported yet");
    }
    std::vector<std::string> names;
    if (!alternatives_.empty()) names.push_back("kind");
    for (const Field* field : known) names.push_back(field->info.name);
    for (const Alternative& a : alternatives_) {
      for (const Field& field : a.fields) {
        if (field.info.name != name) continue;
        reader.fail(first->second.key,
                    "the key '" + name + "' is only for kind = \"" + a.kind + "\"");
      }
    }
    reader.fail(first->second.key,
                "unknown key '" + printable(name) + "'; " + nearest_known(name, names));
  }

  std::string description_;
  std::vector<Field> fields_;
  std::vector<Alternative> alternatives_;
  std::vector<std::string> later_, later_kinds_;
  std::vector<std::function<void(const Value&, T&, Reader&)>> checks_;
  bool kind_required_ = false;

  template <class>
  friend class Table;
};

}  // namespace pliant::table
