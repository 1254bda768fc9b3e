// SPDX-License-Identifier: MIT
#include "pliant/table/rows.hpp"

#include <algorithm>

#include "pliant/base/nearest_name.hpp"

namespace pliant::table {
namespace {

void* changed(const void* member) {
  return const_cast<void*>(member);  // a struct that is read into is not const
}

void document_below(const std::string& path, const std::string& within,
                    const std::vector<Row>& rows, Sections& out) {
  for (const Row& row : rows) {
    if (!row.document) continue;
    row.document(path.empty() ? row.info.name : path + "." + row.info.name, within, out);
  }
}

KeyInfo with_default(const Row& row, const void* defaults) {
  KeyInfo info = row.info;
  const bool section = row.document != nullptr;
  if (!info.required && !section && info.default_text.empty()) {
    info.default_text = toml_text(row.write(defaults));
  }
  return info;
}

// A row of a struct that is a member of another.
Row within(const Row& row, const At& at) {
  return {row.info,
          [row, at](const Value& v, void* t, Reader& r) { row.read(v, changed(at(t)), r); },
          [row, at](const void* t) { return row.write(at(t)); }, row.document};
}

}  // namespace

std::string toml_text(const Json& value) {
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + toml_text(item);
    return "[" + text + "]";
  }
  std::string text = value.dump();
  if (value.is_number_float() && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

void Rows::key(const Key& key, At at, const AnyCodec& codec) {
  KeyInfo info = info_of(key);
  if (info.type == KeyType::number) info.type = codec.type;
  add({info,
       [info, at, &codec](const Value& v, void* t, Reader& r) {
         codec.read(v, info, r, changed(at(t)));
       },
       [at, &codec](const void* t) { return codec.write(at(t)); }});
}

void Rows::option(const Key& key, std::vector<std::string> words,
                  std::function<std::optional<std::size_t>(const void*)> get,
                  std::function<void(void*, std::size_t)> set) {
  KeyInfo info = info_of(key);
  info.type = KeyType::option;
  info.options = std::move(words);
  add({info, [info, set](const Value& v, void* t, Reader& r) { set(t, read_option(v, info, r)); },
       [options = info.options, get](const void* t) {
         const std::optional<std::size_t> chosen = get(t);
         return chosen ? Json(options[*chosen]) : Json();
       }});
}

void Rows::options(const Key& key, std::vector<std::string> words,
                   std::function<std::vector<std::size_t>(const void*)> get,
                   std::function<void(void*, const std::vector<bool>&)> set) {
  KeyInfo info = info_of(key);
  info.type = KeyType::options;
  info.options = std::move(words);
  add({info,
       [info, set](const Value& v, void* t, Reader& r) {
         const List* list = std::get_if<List>(&v.data);
         if (!list) r.refuse(v, info);
         std::vector<bool> wanted(info.options.size());
         for (std::size_t i = 0; i < list->size(); ++i) {
           const Reader::Step step(r, std::to_string(i));
           wanted[read_option((*list)[i], info, r)] = true;
         }
         set(t, wanted);
       },
       [options = info.options, get](const void* t) {
         Json out = Json::array();
         for (const std::size_t i : get(t)) out.push_back(options[i]);
         return out;
       }});
}

void Rows::table(const Key& key, At at, std::function<void*(void*)> enter, const Rows& below) {
  KeyInfo info = info_of(key);
  info.type = KeyType::table;
  const auto own = std::make_shared<const Rows>(below);
  add({std::move(info),
       [own, enter](const Value& v, void* t, Reader& r) { own->read(v, enter(t), r); },
       [own, at](const void* t) {
         const void* there = at(t);
         return there != nullptr ? own->write(there) : Json();
       },
       [own](const std::string& path, const std::string& within, Sections& out) {
         own->document(path, within, false, out);
       }});
}

void Rows::include(const At& at, const Rows& below) {
  for (const Row& row : below.rows_) add(within(row, at));
  for (const Check& check : below.checks_) {
    checks_.push_back(
        [at, check](const Value& v, void* t, Reader& r) { check(v, changed(at(t)), r); });
  }
}

void Rows::tables(const Key& key, const ListAt& list, const Rows& below) {
  KeyInfo info = info_of(key);
  info.type = KeyType::tables;
  const auto own = std::make_shared<const Rows>(below);
  add({info,
       [info, list, own](const Value& v, void* t, Reader& r) {
         const List* values = std::get_if<List>(&v.data);
         if (!values) r.refuse(v, info);
         list.clear(t);
         for (std::size_t i = 0; i < values->size(); ++i) {
           const Reader::Step step(r, std::to_string(i));
           own->read((*values)[i], list.append(t), r);
         }
       },
       [list, own](const void* t) {
         if (!list.present(t)) return Json();
         Json out = Json::array();
         for (std::size_t i = 0; i < list.size(t); ++i) out.push_back(own->write(list.item(t, i)));
         return out;
       },
       [own](const std::string& path, const std::string& within, Sections& out) {
         own->document(path, within, true, out);
       }});
}

void Rows::named_tables(const Key& key, const ListAt& list, std::function<std::string&(void*)> name,
                        const Rows& below) {
  KeyInfo info = info_of(key);
  info.type = KeyType::named_tables;
  const auto own = std::make_shared<const Rows>(below);
  add({info,
       [info, list, name, own](const Value& v, void* t, Reader& r) {
         const Object* object = std::get_if<Object>(&v.data);
         if (!object) r.refuse(v, info);
         for (const auto& [key, item] : *object) {
           const Reader::Step step(r, key);
           if (!is_name(key)) {
             r.fail(item.key, "bad name", key, "1 to 64 letters, digits, - and _");
           }
           void* const added = list.append(t);
           name(added) = key;
           own->read(item.value, added, r);
         }
       },
       [list, name, own](const void* t) {
         Json out = Json::object();
         for (std::size_t i = 0; i < list.size(t); ++i) {
           const void* const item = list.item(t, i);
           out[name(changed(item))] = own->write(item);
         }
         return out;
       },
       [own](const std::string& path, const std::string& within, Sections& out) {
         own->document(path + ".NAME", within, false, out);
       }});
}

void Rows::alternative(std::string kind, const Rows& below, std::function<void(void*)> choose,
                       At at) {
  Alternative own{std::move(kind), below.description_, {}, std::move(choose), at};
  for (const Row& row : below.rows_) own.rows.push_back(within(row, at));
  alternatives_.push_back(std::move(own));
  for (const Check& check : below.checks_) {
    checks_.push_back([at, check](const Value& v, void* t, Reader& r) {
      if (const void* chosen = at(t)) check(v, changed(chosen), r);
    });
  }
}

void Rows::read(const Value& value, void* out, Reader& reader) const {
  const Object* object = std::get_if<Object>(&value.data);
  if (!object) reader.fail(value.source, "wrong value", text_of(value), "a table");
  std::vector<const Row*> known;
  for (const Row& row : rows_) known.push_back(&row);
  if (const Alternative* chosen = choose(*object, value.source, out, reader)) {
    for (const Row& row : chosen->rows) known.push_back(&row);
  }
  refuse_unknown(*object, known, reader);
  for (const Row* row : known) {
    const auto it = object->find(row->info.name);
    if (it != object->end()) {
      const Reader::Step step(reader, row->info.name);
      row->read(it->second.value, out, reader);
    } else if (row->info.required) {
      reader.fail(value.source, "the key '" + row->info.name + "' is missing", "",
                  allowed_text(row->info));
    }
  }
  for (const Check& check : checks_) check(value, out, reader);
}

Json Rows::write(const void* from) const {
  Json out = Json::object();
  const auto put = [&](const Row& row) {
    Json value = row.write(from);
    if (!value.is_null()) out[row.info.name] = std::move(value);
  };
  for (const Row& row : rows_) put(row);
  for (const Alternative& a : alternatives_) {
    if (a.at(from) == nullptr) continue;
    out["kind"] = a.kind;
    for (const Row& row : a.rows) put(row);
  }
  return out;
}

void Rows::document(const std::string& path, const std::string& within, bool list,
                    Sections& out) const {
  const std::shared_ptr<void> t = make_();
  SchemaSection section{path, list, "", within, description_, {}};
  if (!alternatives_.empty()) section.keys.push_back(kind_key());
  for (const Row& row : rows_) section.keys.push_back(with_default(row, t.get()));
  out.push_back(std::move(section));
  document_below(path, within, rows_, out);
  for (const Alternative& a : alternatives_) {
    SchemaSection keys{path, list, a.kind, within, a.description, {}};
    a.choose(t.get());
    for (const Row& row : a.rows) keys.keys.push_back(with_default(row, t.get()));
    out.push_back(std::move(keys));
    document_below(path, path + ".kind = \"" + a.kind + "\"", a.rows, out);
  }
}

KeyInfo Rows::kind_key() const {
  KeyInfo key{.name = "kind", .type = KeyType::option, .description = "Which of these it is."};
  const std::shared_ptr<void> t = make_();
  for (const Alternative& a : alternatives_) {
    key.options.push_back(a.kind);
    if (a.at(t.get()) != nullptr) key.default_text = toml_text(a.kind);
  }
  if (kind_required_) key.required = true, key.default_text.clear();
  return key;
}

const Rows::Alternative* Rows::choose(const Object& object, const Source& source, void* out,
                                      Reader& reader) const {
  if (alternatives_.empty()) return nullptr;
  const auto it = object.find("kind");
  if (it != object.end()) {
    const Reader::Step step(reader, "kind");
    const std::string* word = std::get_if<std::string>(&it->second.value.data);
    if (word && std::ranges::find(later_kinds_, *word) != later_kinds_.end()) {
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
  const auto a = std::ranges::find_if(alternatives_,
                                      [&](const Alternative& x) { return x.at(out) != nullptr; });
  return &*a;
}

void Rows::refuse_unknown(const Object& object, const std::vector<const Row*>& known,
                          Reader& reader) const {
  const auto is_known = [&](const std::string& key) {
    return (!alternatives_.empty() && key == "kind") ||
           std::ranges::any_of(known, [&](const Row* row) { return row->info.name == key; });
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
  if (std::ranges::find(later_, name) != later_.end()) {
    reader.fail(first->second.key, "the key '" + name + "' is not supported yet");
  }
  std::vector<std::string> names;
  if (!alternatives_.empty()) names.push_back("kind");
  for (const Row* row : known) names.push_back(row->info.name);
  for (const Alternative& a : alternatives_) {
    for (const Row& row : a.rows) {
      if (row.info.name != name) continue;
      reader.fail(first->second.key,
                  "the key '" + name + "' is only for kind = \"" + a.kind + "\"");
    }
  }
  reader.fail(first->second.key,
              "unknown key '" + printable(name) + "'; " + nearest_known(name, names));
}

}  // namespace pliant::table
