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

#include "pliant/base/assert.hpp"
#include "pliant/table/rows.hpp"

namespace pliant::table {

template <class T>
class Table {
 public:
  // A row that reads and writes in its own way.
  struct Field {
    KeyInfo info;
    std::function<void(const Value&, T&, Reader&)> read;
    std::function<Json(const T&)> write;  // null: absent
  };

  explicit Table(std::string description)
      : rows_(std::move(description), [] { return std::make_shared<T>(); }) {}

  const Rows& untyped() const { return rows_; }
  const std::vector<Row>& fields() const { return rows_.rows(); }

  void add(Field field) {
    rows_.add({std::move(field.info),
               [read = std::move(field.read)](const Value& v, void* t, Reader& r) {
                 read(v, *static_cast<T*>(t), r);
               },
               [write = std::move(field.write)](const void* t) { return write(of(t)); }});
  }

  template <class V>
  void key(const Key& key, V T::*member) {
    rows_.key(key, at(member), any_codec<V>);
  }

  // By functions: std::optional<E> get(const T&), void set(T&, E).
  template <class E, class Get, class Set>
  void option(const Key& key, const Words<E>& words, Get get, Set set) {
    rows_.option(
        key, texts(words),
        [words, get](const void* t) -> std::optional<std::size_t> {
          const std::optional<E> e = get(of(t));
          if (!e) return std::nullopt;
          return position(words, *e);
        },
        [words, set](void* t, std::size_t i) { set(*static_cast<T*>(t), words[i].value); });
  }
  template <class E>
  void option(const Key& key, const Words<E>& words, E T::*member) {
    option(
        key, words, [member](const T& t) { return std::optional<E>(t.*member); },
        [member](T& t, E e) { t.*member = e; });
  }
  template <class E>
  void option(const Key& key, const Words<E>& words, std::optional<E> T::*member) {
    option(
        key, words, [member](const T& t) { return t.*member; },
        [member](T& t, E e) { t.*member = e; });
  }
  // A list of words without repetition; the canonical form has them in the order of `words`.
  template <class E>
  void options(const Key& key, const Words<E>& words, std::vector<E> T::*member) {
    rows_.options(
        key, texts(words),
        [words, member](const void* t) {
          std::vector<std::size_t> chosen;
          for (const E e : of(t).*member) chosen.push_back(position(words, e));
          return chosen;
        },
        [words, member](void* t, const std::vector<bool>& wanted) {
          std::vector<E>& list = static_cast<T*>(t)->*member;
          list.clear();
          for (std::size_t i = 0; i < words.size(); ++i) {
            if (wanted[i]) list.push_back(words[i].value);
          }
        });
  }

  template <class S>
  void table(const Key& key, S T::*member, const Table<S>& below) {
    rows_.table(
        key, at(member), [member](void* t) { return &(static_cast<T*>(t)->*member); },
        below.untyped());
  }
  // Absent unless the file has it.
  template <class S>
  void table(const Key& key, std::optional<S> T::*member, const Table<S>& below) {
    rows_.table(
        key,
        [member](const void* t) -> const void* {
          const std::optional<S>& own = of(t).*member;
          return own ? &*own : nullptr;
        },
        [member](void* t) { return &(static_cast<T*>(t)->*member).emplace(); }, below.untyped());
  }
  // The keys of a struct within T, as if they were T's own.
  template <class S>
  void include(S T::*member, const Table<S>& below) {
    rows_.include(at(member), below.untyped());
  }
  // [[path]]
  template <class S>
  void tables(const Key& key, std::vector<S> T::*member, const Table<S>& below) {
    rows_.tables(key, list_at(member), below.untyped());
  }
  template <class S>
  void tables(const Key& key, std::optional<std::vector<S>> T::*member, const Table<S>& below) {
    rows_.tables(key,
                 {[member](void* t) { (static_cast<T*>(t)->*member).emplace(); },
                  [member](void* t) { return &(static_cast<T*>(t)->*member)->emplace_back(); },
                  [member](const void* t) { return (of(t).*member)->size(); },
                  [member](const void* t, std::size_t i) { return &(*(of(t).*member))[i]; },
                  [member](const void* t) { return (of(t).*member).has_value(); }},
                 below.untyped());
  }
  // [path.NAME], in alphabetical order.
  template <class S>
  void named_tables(const Key& key, std::vector<S> T::*member, std::string S::*name,
                    const Table<S>& below) {
    rows_.named_tables(
        key, list_at(member), [name](void* s) -> std::string& { return static_cast<S*>(s)->*name; },
        below.untyped());
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
  void later(std::string key) { rows_.later(std::move(key)); }
  void later_kind(std::string kind) { rows_.later_kind(std::move(kind)); }

  // `kind` must be given.
  void require_kind() { rows_.require_kind(); }

  // Called when all keys of a T are read, in the order added: checks that need several of them.
  void check(std::function<void(const Value&, T&, Reader&)> check) {
    rows_.check([check = std::move(check)](const Value& v, void* t, Reader& r) {
      check(v, *static_cast<T*>(t), r);
    });
  }

  void read(const Value& value, T& out, Reader& reader) const { rows_.read(value, &out, reader); }
  Json write(const T& t) const { return rows_.write(&t); }
  // Appends the sections of this table and of those below it; see SchemaSection.
  void document(const std::string& path, const std::string& within, bool list,
                Sections& out) const {
    rows_.document(path, within, list, out);
  }

 private:
  static const T& of(const void* t) { return *static_cast<const T*>(t); }
  template <class V>
  static At at(V T::*member) {
    return [member](const void* t) -> const void* { return &(of(t).*member); };
  }
  template <class S>
  static ListAt list_at(std::vector<S> T::*member) {
    return {[member](void* t) { (static_cast<T*>(t)->*member).clear(); },
            [member](void* t) { return &(static_cast<T*>(t)->*member).emplace_back(); },
            [member](const void* t) { return (of(t).*member).size(); },
            [member](const void* t, std::size_t i) { return &(of(t).*member)[i]; },
            [](const void*) { return true; }};
  }
  template <class E>
  static std::vector<std::string> texts(const Words<E>& words) {
    std::vector<std::string> out;
    for (const Word<E>& w : words) out.emplace_back(w.word);
    return out;
  }
  template <class E>
  static std::size_t position(const Words<E>& words, E e) {
    std::size_t i = 0;
    while (i < words.size() && words[i].value != e) ++i;
    PLIANT_ASSERT(i < words.size(), "every value of an enumeration has a word");
    return i;
  }

  template <class A, class Get>
  void alternative(std::string kind, const Table<A>& below, Get get) {
    rows_.alternative(
        std::move(kind), below.untyped(),
        [get](void* t) {
          auto& own = get(*static_cast<T*>(t));
          if (!std::holds_alternative<A>(own)) own = A{};
        },
        [get](const void* t) -> const void* { return std::get_if<A>(&get(of(t))); });
  }

  Rows rows_;
};

}  // namespace pliant::table
