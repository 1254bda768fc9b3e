// SPDX-License-Identifier: MIT
#include "pliant/table/file_codec.hpp"

namespace pliant::table {

std::filesystem::path Codec<std::filesystem::path>::read(const Value& value, const KeyInfo& key,
                                                         Reader& reader) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (!text || text->empty() || text->find('\0') != text->npos) reader.refuse(value, key);
  std::error_code error;
  std::filesystem::path path =
      std::filesystem::absolute(std::filesystem::path(value.source.file->folder) / *text, error)
          .lexically_normal();
  if (key.type != KeyType::output_file && !std::filesystem::is_regular_file(path, error)) {
    reader.fail(value.source,
                std::filesystem::exists(path, error) ? "not a regular file" : "no such file",
                path.string(), allowed_text(key));
  }
  return path;
}

Json Codec<std::filesystem::path>::write(const std::filesystem::path& v) {
  return v.filename().string();
}

}  // namespace pliant::table
