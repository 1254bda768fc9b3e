// SPDX-License-Identifier: MIT
#include "pliant/serve/http_answer.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/serve/page_files.hpp"
#include "pliant/serve/server_message.hpp"

namespace pliant::serve {
namespace {

constexpr const char* policy =
    "default-src 'self'; img-src 'self' blob: data:; media-src blob:; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'";
constexpr std::size_t largest_picture = std::size_t{16} << 20;

constexpr const char* no_page =
    "<!doctype html><meta charset=utf-8><title>Pliant</title><h1>Pliant</h1>"
    "<p>This program was built without its page, because Node.js was not there.</p>"
    "<p>Install Debian's packages <code>nodejs</code> and <code>npm</code> (<code>./setup</code> "
    "does it), build Pliant again, and start <code>pliant play</code> anew.</p>";

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 206:
      return "Partial Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Payload Too Large";
    case 416:
      return "Range Not Satisfiable";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 507:
      return "Insufficient Storage";
    default:
      return "Service Unavailable";
  }
}

const char* type_of(std::string_view path) {
  struct Type {
    std::string_view ending;
    const char* type;
  };
  constexpr Type types[] = {{".html", "text/html; charset=utf-8"},
                            {".js", "text/javascript"},
                            {".css", "text/css"},
                            {".svg", "image/svg+xml"},
                            {".json", "application/json"},
                            {".woff2", "font/woff2"},
                            {".png", "image/png"}};
  for (const auto& [ending, type] : types) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

Answer absent(std::string_view path) {
  return refuse({404, "absent", "There is no " + printable(path) + ".", "Go to the start page."});
}

Answer page_answer(std::string_view path) {
  if (page_files().empty() && path == "/") {
    return {200, "text/html; charset=utf-8", "Cache-Control: no-store\r\n", {nullptr, no_page}};
  }
  const std::string_view wanted = path == "/" ? "/index.html" : path;
  for (const PageFile& file : page_files()) {
    if (file.path != wanted) continue;
    // The names of /assets/ have hashes of their content in them.
    const bool fixed = wanted.starts_with("/assets/");
    return {200,
            type_of(wanted),
            fixed ? "Cache-Control: private, max-age=31536000, immutable\r\n"
                  : "Cache-Control: no-cache\r\n",
            {nullptr, file.bytes}};
  }
  return absent(path);
}

struct Range {
  std::size_t from, to;  // both included
};

// "bytes=a-b"; other forms are answered with the whole.
std::optional<Range> parse_range(std::string_view text) {
  constexpr std::string_view unit = "bytes=";
  if (!text.starts_with(unit)) return std::nullopt;
  text.remove_prefix(unit.size());
  Range range{};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.from);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, range.to);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return range;
}

Answer asset_answer(const Blob& asset, std::string_view header) {
  Answer answer{200, "application/octet-stream",
                "Accept-Ranges: bytes\r\nCache-Control: private, max-age=31536000, immutable\r\n",
                asset};
  const std::size_t size = asset.bytes.size();
  const std::optional<Range> range = parse_range(header);
  if (!range) return answer;
  if (range->from >= size || range->to < range->from) {
    answer.status = 416;
    answer.extra += fmt::format("Content-Range: bytes */{}\r\n", size);
    answer.body = {};
    return answer;
  }
  const std::size_t to = std::min(range->to, size - 1);
  answer.status = 206;
  answer.extra += fmt::format("Content-Range: bytes {}-{}/{}\r\n", range->from, to, size);
  answer.body.bytes = asset.bytes.substr(range->from, to - range->from + 1);
  return answer;
}

Answer picture_answer(const Hub& hub, const std::string& id) {
  const GalleryEntry* entry = hub.gallery().find(id);
  if (entry == nullptr || !entry->picture) return absent("picture");
  try {
    const auto file = std::make_shared<const MappedFile>(*entry->picture);
    if (file->bytes().size() > largest_picture) return absent("picture");
    return {
        200, picture_type(*entry->picture), "Cache-Control: no-cache\r\n", {file, file->bytes()}};
  } catch (const Error&) {  // it has gone
    return absent("picture");
  }
}

Answer file_answer(const Hub& hub, const std::string& name) {
  const auto path = hub.scene_input(name);
  if (!path) return absent("file " + name);
  try {
    const auto file = std::make_shared<const MappedFile>(*path);
    return {200, "application/octet-stream", "Cache-Control: no-store\r\n", {file, file->bytes()}};
  } catch (const Error&) {  // it has gone
    return absent("file " + name);
  }
}

// The mesh that `play` was given: this one file, whatever a request says.
Answer mesh_answer(const Hub& hub) {
  if (hub.options().mesh.empty()) return absent("mesh");
  try {
    const auto file = std::make_shared<const MappedFile>(hub.options().mesh);
    return {200, "application/octet-stream", "Cache-Control: no-store\r\n", {file, file->bytes()}};
  } catch (const Error&) {  // it has gone
    return absent("mesh");
  }
}

}  // namespace

Answer json_answer(std::string json) {
  return {200, "application/json", "Cache-Control: no-store\r\n", Blob::of(std::move(json))};
}

Answer refuse(const Refusal& refusal) {
  Answer answer = json_answer(
      text_of({{"code", refusal.code}, {"message", refusal.message}, {"advice", refusal.advice}}));
  answer.status = refusal.status;
  return answer;
}

bool needs_token(std::string_view path) {
  return path.starts_with("/api/") || path.starts_with("/asset/") || path == "/ws";
}

Answer answer_get(const Hub& hub, std::string_view path, std::string_view range) {
  constexpr std::string_view picture = "/api/picture/", asset = "/asset/", file = "/api/file/";
  if (path == "/api/scenes") return json_answer(text_of(hub.gallery().message()));
  if (path == "/api/scene.toml") {
    auto text = hub.scene_file();
    if (!text) return absent("scene file: an asset was opened");
    return {200, "application/toml", "Cache-Control: no-store\r\n", Blob::of(std::move(*text))};
  }
  if (path.starts_with(file)) return file_answer(hub, std::string(path.substr(file.size())));
  if (path == "/api/file") return mesh_answer(hub);
  if (path.starts_with(picture)) {
    return picture_answer(hub, std::string(path.substr(picture.size())));
  }
  if (path.starts_with(asset)) {
    const auto found = hub.asset(std::string(path.substr(asset.size())));
    return found ? asset_answer(*found, range)
                 : refuse({404, "absent", "There is no such asset.", "Reload the page."});
  }
  return page_answer(path);
}

std::string head_of(const Answer& answer, bool keep_alive) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Content-Length: {}\r\n"
      "{}"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n"
      "Content-Security-Policy: {}\r\n"
      "Connection: {}\r\n\r\n",
      answer.status, reason_of(answer.status), answer.type, answer.body.bytes.size(), answer.extra,
      policy, keep_alive ? "keep-alive" : "close");
}

}  // namespace pliant::serve
