// SPDX-License-Identifier: MIT
#include "pliant/report/page_parts.hpp"

#include <cmath>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr const char* style = R"(
:root{--page:#f6f7f9;--card:#fff;--text:#1f2428;--soft:#5b6670;--line:#dfe3e8;--accent:#0a6ebd;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--page:#0f1317;--card:#14181d;--text:#dfe5ea;--soft:#98a4af;--line:#2b323a;--accent:#6cb6f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:1180px;margin:0 auto;padding:36px 20px 60px}
h1{font-size:30px;line-height:1.2;margin:0 0 4px}h2{font-size:19px;margin:38px 0 12px}
p{margin:0 0 10px;max-width:76ch}.soft{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:7px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
tbody tr:last-child td{border-bottom:0}th{font-weight:600;color:var(--soft);vertical-align:bottom}
th:first-child,td:first-child{text-align:left;white-space:normal;min-width:150px}
td small{display:block;color:var(--soft)}td.out{text-align:left;white-space:normal;color:var(--soft)}
.plots,.pictures{display:grid;gap:16px}
.plots{grid-template-columns:repeat(auto-fit,minmax(420px,1fr))}
.pictures{grid-template-columns:repeat(auto-fill,minmax(300px,1fr))}
.plots svg{width:100%;height:auto;display:block}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px}
figure.plot{padding:4px}figure .body{width:100%;height:auto;max-height:340px;display:block}
figcaption{padding:8px 4px 0}figcaption b{margin-right:6px}
.legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 12px;color:var(--soft);font-size:14px}
.legend i{display:inline-block;width:14px;height:14px;border-radius:3px;margin-right:6px;vertical-align:-2px}
code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--card);border:1px solid var(--line);border-radius:5px;padding:2px 6px}
@media(max-width:520px){.plots{grid-template-columns:1fr}}
)";

}  // namespace

std::string page_begin(const std::string& title, const std::string& extra_style) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
         title + "</title>\n<style>" + style + extra_style + "</style></head>\n<body><main>\n";
}

std::string page_end() {
  return "</main></body></html>\n";
}

std::string percent_text(double part) {
  if (!std::isfinite(part)) return "not finite";
  const double p = 100 * part;
  if (p == 0) return "0 %";
  return p < 0.01 ? fmt::format("{:.0e} %", p)
                  : fmt::format("{:.{}f} %", p,
                                p < 1     ? 2
                                : p < 100 ? 1
                                          : 0);
}

std::string duration_text(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} µs", 1e6 * seconds)
         : seconds < 1.0 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} s", seconds);
}

std::string short_number(double value) {
  return fmt::format("{:.3g}", value);
}

}  // namespace pliant
