#include "reports/html/template.hpp"

#include <cstdint>
#include <kainjow/mustache.hpp>
#include <map>
#include <optional>

#include "orchestrator/core/text.hpp"

namespace shakedown {

std::optional<std::string_view> report_file(std::string_view name);  // generated from reports/html

namespace mustache = kainjow::mustache;

/// Turns Fields into what the engine takes.
class FieldsReader {
 public:
  static mustache::data data(const Fields& fields) {
    mustache::data object;
    for (const auto& [name, held] : fields.held_)
      object[name] = std::visit([](const auto& value) { return converted(value); }, held);
    return object;
  }

 private:
  static mustache::data converted(const std::string& text) { return {text}; }
  static mustache::data converted(bool truth) { return {truth}; }
  static mustache::data converted(const std::vector<Fields>& values) {
    mustache::list list;
    list.reserve(values.size());  // else all that is in it is copied as it grows
    for (const Fields& value : values) list.push_back(data(value));
    return {list};
  }
};

Fields& Fields::text(std::string name, std::string_view value) {
  held_.emplace_back(std::move(name), readable(value));
  return *this;
}

Fields& Fields::text_if(std::string name, std::string_view value) {
  return value.empty() ? flag(std::move(name), false) : text(std::move(name), value);
}

Fields& Fields::markup(std::string name, std::string value) {
  held_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Fields& Fields::flag(std::string name, bool value) {
  held_.emplace_back(std::move(name), value);
  return *this;
}

Fields& Fields::list(std::string name, std::vector<Fields> values) {
  held_.emplace_back(std::move(name), std::move(values));
  return *this;
}

Result<std::string> filled(std::string_view name, const Fields& fields) {
  const auto text = report_file(name);
  if (!text) return fail(std::string(name), "there is no such report template");
  // That of a case is filled for each: parsed once.
  static thread_local std::map<std::string, mustache::mustache, std::less<>> parsed;
  const auto known = parsed.find(name);
  mustache::mustache& page = known != parsed.end()
                                 ? known->second
                                 : parsed.try_emplace(std::string(name), std::string(*text)).first->second;
  if (!page.is_valid()) return fail(std::string(name), page.error_message());
  const mustache::data data = FieldsReader::data(fields);
  mustache::context<std::string> context;
  context.push(&data);
  std::string rendered = page.render(context);
  if (!page.is_valid()) return fail(std::string(name), page.error_message());
  return rendered;
}

std::string escaped(std::string_view text) {
  return mustache::html_escape(std::string(text));
}

namespace {

constexpr std::string_view replacement = "\uFFFD";

/// Length of the UTF-8 character that starts `text`, or 0 where none does (RFC 3629: shortest form, no
/// surrogates, at most U+10FFFF).
size_t character_length(std::string_view text) {
  const auto at = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool shortest = lead != 0xE0 || at(1) >= 0xA0;
    const bool no_surrogate = lead != 0xED || at(1) < 0xA0;
    return tail(1) && tail(2) && shortest && no_surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool in_range = (lead != 0xF0 || at(1) >= 0x90) && (lead != 0xF4 || at(1) < 0x90);
    return tail(1) && tail(2) && tail(3) && in_range ? 4 : 0;
  }
  return 0;
}

/// Length of a terminal's colour code (`ESC [ ... m` and its kin) that starts `text`, or 0.
size_t escape_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;?", 2);
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (const size_t code = escape_length(text); code > 0) {
      text.remove_prefix(code);
      continue;
    }
    const size_t length = character_length(text);
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 0)
      out += replacement;
    else if (length > 1)
      out += printable(text.substr(0, length));  // shows what would reorder or hide text
    else if (lead >= 0x20 ? lead != 0x7F : lead == '\n' || lead == '\t')
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace shakedown
