#include "reports/html/template.hpp"

#include <kainjow/mustache.hpp>
#include <optional>

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
    mustache::data list(mustache::data::type::list);
    for (const Fields& value : values) list.push_back(data(value));
    return list;
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
  mustache::mustache page{std::string(*text)};
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

}  // namespace shakedown
