#include "orchestrator/core/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "orchestrator/core/document_limits.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/objections.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {

struct TomlTable::Document {
  std::string name;
  toml::table root;
  std::vector<std::shared_ptr<View>> views;
};

struct TomlTable::View {
  const toml::table* table = nullptr;  // null: absent
  std::string path;                    // "groups.gpu", for messages
  std::set<std::string, std::less<>> asked;
  std::map<std::string, Error, std::less<>> objections;  // by key; "": to the table
  std::vector<std::string> missing;
};

namespace {

const toml::table empty_table;

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

/// Whether a text is a day of the calendar, "2027-03-31".
bool is_day(const std::string& text) {
  std::tm parts = {};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%d", &parts);
  if (end == nullptr || *end != '\0' || text.size() != std::string_view("2027-03-31").size()) return false;
  const std::tm asked = parts;
  ::timegm(&parts);  // carries 31 February over into March
  return parts.tm_mday == asked.tm_mday && parts.tm_mon == asked.tm_mon;
}

}  // namespace

TomlTable::TomlTable(std::shared_ptr<Document> document, std::shared_ptr<View> view)
    : document_(std::move(document)), view_(std::move(view)) {
  if (view_->table == nullptr) view_->table = &empty_table;
  document_->views.push_back(view_);
}

Result<TomlTable> TomlTable::parse(std::string_view text, std::string_view name) {
  if (auto within = toml_within_limits(text, name); !within) return failure_of(within);
  auto document = std::make_shared<Document>();
  document->name = name;
  try {
    document->root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    return fail(fmt::format("{}:{}", name, error.source().begin.line), what,
                "the file must be valid TOML 1.0");
  }
  auto view = std::make_shared<View>();
  view->table = &document->root;
  return TomlTable(document, view);
}

Result<TomlTable> TomlTable::load(const std::filesystem::path& path) {
  const auto content = file_content_within(path, most_toml_bytes);
  if (!content) return failure_of(content);
  return parse(*content, path.string());
}

bool TomlTable::has(std::string_view key) const {
  return view_->table->contains(key);
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : *view_->table)
    found.emplace_back(key.source().begin, std::string(key.str()));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [position, name] : found) names.push_back(std::move(name));
  return names;
}

std::string TomlTable::place(std::string_view key) const {
  const auto it = key.empty() ? view_->table->end() : view_->table->find(key);
  const auto line =
      it == view_->table->end() ? view_->table->source().begin.line : it->first.source().begin.line;
  return fmt::format("{}:{}", document_->name, std::max<unsigned>(1, line));
}

void TomlTable::skip(std::string_view key) {
  view_->asked.emplace(key);
}

void TomlTable::reject(std::string_view key, std::string what, std::string hint) {
  // All that a table lacks in one sentence: "'id', 'title' are missing".
  constexpr std::string_view ending = "' is missing";
  if (key.empty() && hint.empty() && what.starts_with('\'') && what.ends_with(ending)) {
    std::string name = what.substr(1, what.size() - 1 - ending.size());
    if (std::ranges::find(view_->missing, name) == view_->missing.end())
      view_->missing.push_back(std::move(name));
    return;
  }
  view_->objections.try_emplace(std::string(key),
                                Error{place(key), std::move(what), std::move(hint), Fault::input});
}

std::optional<std::string> TomlTable::optional_text(std::string_view key) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_string()) return value->get();
  reject(key, fmt::format("'{}' must be a string, not {}", key, type_name(*node)));
  return std::nullopt;
}

std::optional<std::int64_t> TomlTable::optional_integer(std::string_view key) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_integer()) return value->get();
  reject(key, fmt::format("'{}' must be a whole number, not {}", key, type_name(*node)));
  return std::nullopt;
}

std::optional<double> TomlTable::optional_real(std::string_view key) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* real = node->as_floating_point()) return real->get();
  if (const auto* whole = node->as_integer()) return static_cast<double>(whole->get());
  reject(key, fmt::format("'{}' must be a number, not {}", key, type_name(*node)));
  return std::nullopt;
}

std::string TomlTable::text(std::string_view key, std::string_view fallback) {
  return optional_text(key).value_or(std::string(fallback));
}

std::string TomlTable::required_text(std::string_view key) {
  auto value = optional_text(key);
  if (!value && !has(key)) reject("", fmt::format("'{}' is missing", key));
  return value.value_or("");
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t fallback) {
  return optional_integer(key).value_or(fallback);
}

std::int64_t TomlTable::required_integer(std::string_view key) {
  const auto value = optional_integer(key);
  if (!value && !has(key)) reject("", fmt::format("'{}' is missing", key));
  return value.value_or(0);
}

double TomlTable::real(std::string_view key, double fallback) {
  return optional_real(key).value_or(fallback);
}

double TomlTable::required_real(std::string_view key) {
  const auto value = optional_real(key);
  if (!value && !has(key)) reject("", fmt::format("'{}' is missing", key));
  return value.value_or(0);
}

bool TomlTable::boolean(std::string_view key, bool fallback) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return fallback;
  if (const auto* value = node->as_boolean()) return value->get();
  reject(key, fmt::format("'{}' must be true or false, not {}", key, type_name(*node)));
  return fallback;
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  view_->asked.emplace(key);
  std::vector<std::string> values;
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return values;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    reject(key, fmt::format("'{}' must be an array of strings, not {}", key, type_name(*node)));
    return values;
  }
  for (const toml::node& element : *array) {
    if (const auto* value = element.as_string())
      values.push_back(value->get());
    else
      reject(key, fmt::format("'{}' must hold strings only, not {}", key, type_name(element)));
  }
  return values;
}

std::vector<double> TomlTable::reals(std::string_view key) {
  view_->asked.emplace(key);
  std::vector<double> values;
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return values;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    reject(key, fmt::format("'{}' must be an array of numbers, not {}", key, type_name(*node)));
    return values;
  }
  for (const toml::node& element : *array) {
    if (const auto* real = element.as_floating_point())
      values.push_back(real->get());
    else if (const auto* whole = element.as_integer())
      values.push_back(static_cast<double>(whole->get()));
    else
      reject(key, fmt::format("'{}' must hold numbers only, not {}", key, type_name(element)));
  }
  return values;
}

std::vector<std::int64_t> TomlTable::integers(std::string_view key) {
  std::vector<std::int64_t> values;
  for (const double value : reals(key)) {
    if (value != static_cast<double>(static_cast<std::int64_t>(value)))
      reject(key, fmt::format("'{}' must hold whole numbers only", key));
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

TomlTable TomlTable::table(std::string_view key) {
  view_->asked.emplace(key);
  auto view = std::make_shared<View>();
  view->path = view_->path.empty() ? std::string(key) : fmt::format("{}.{}", view_->path, key);
  if (const toml::node* node = view_->table->get(key)) {
    view->table = node->as_table();
    if (view->table == nullptr)
      reject(key, fmt::format("'{}' must be a table, not {}", key, type_name(*node)));
  }
  return {document_, view};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  view_->asked.emplace(key);
  std::vector<TomlTable> found;
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return found;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    reject(key, fmt::format("'{}' must be an array of tables: [[{}]]", key, key));
    return found;
  }
  for (const toml::node& element : *array) {
    auto view = std::make_shared<View>();
    view->path = view_->path.empty() ? std::string(key) : fmt::format("{}.{}", view_->path, key);
    view->table = element.as_table();
    if (view->table == nullptr)
      reject(key, fmt::format("'{}' must hold tables only, not {}", key, type_name(element)));
    found.push_back(TomlTable(document_, view));
  }
  return found;
}

std::string TomlTable::required_date(std::string_view key) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) {
    reject("", fmt::format("'{}' is missing", key));
    return "";
  }
  if (const auto* day = node->as_date())
    return fmt::format("{:04}-{:02}-{:02}", day->get().year, day->get().month, day->get().day);
  if (const auto* text = node->as_string(); text != nullptr && is_day(text->get())) return text->get();
  reject(key, fmt::format("'{}' must be a day, not {}", key, type_name(*node)), "write it as 2027-03-31");
  return "";
}

std::optional<TomlTable::Scalar> TomlTable::scalar(std::string_view key) {
  view_->asked.emplace(key);
  const toml::node* node = view_->table->get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text_value = node->as_string()) return Scalar{text_value->get(), "string"};
  if (const auto* whole = node->as_integer()) return Scalar{fmt::format("{}", whole->get()), "integer"};
  if (const auto* real_value = node->as_floating_point())
    return Scalar{fmt::format("{}", real_value->get()), "float"};
  if (const auto* truth = node->as_boolean()) return Scalar{truth->get() ? "true" : "false", "boolean"};
  return std::nullopt;
}

Result<void> TomlTable::finished() const {
  std::vector<Error> found;
  // What misspelled keys are nearest to: it is not missing as well. By table, and of all.
  std::map<const View*, std::set<std::string>> meant_in;
  std::set<std::string> meant;
  for (const auto& view : document_->views) {
    const std::vector<std::string> known(view->asked.begin(), view->asked.end());
    for (const auto& [key, node] : *view->table) {
      if (view->asked.contains(std::string_view(key.str())) || view->objections.contains(key.str())) continue;
      const std::string nearest = did_you_mean(key.str(), known);
      // A reader that objects may not have asked for all keys: only a misspelling is sure then.
      if (nearest.empty() && (!view->objections.empty() || !view->missing.empty())) continue;
      if (!nearest.empty()) {
        const std::string name(split(nearest, '\'').at(1));
        meant_in[view.get()].insert(name);
        meant.insert(name);
      }
      const std::string within = view->path.empty() ? "" : fmt::format(" in [{}]", view->path);
      found.push_back({fmt::format("{}:{}", document_->name, key.source().begin.line),
                       fmt::format("unknown key '{}'{}{}", key.str(), within, nearest),
                       fmt::format("known keys: {}", joined(known, ", "))});
    }
  }
  for (const auto& view : document_->views) {
    const bool absent = view->table == &empty_table;
    if (absent && meant.contains(view->path.substr(view->path.rfind('.') + 1))) continue;
    for (const auto& [key, objection] : view->objections)
      if (std::ranges::find(view->missing, key) == view->missing.end()) found.push_back(objection);
    std::vector<std::string> missing = view->missing;
    std::erase_if(missing, [&](const std::string& each) { return meant_in[view.get()].contains(each); });
    if (missing.empty()) continue;
    found.push_back(
        {fmt::format("{}:{}", document_->name, std::max<unsigned>(1, view->table->source().begin.line)),
         fmt::format("'{}' {} missing", joined(missing, "', '"), missing.size() == 1 ? "is" : "are"), ""});
  }
  return all_objections(found);
}

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        quoted += "\\\"";
        break;
      case '\\':
        quoted += "\\\\";
        break;
      case '\n':
        quoted += "\\n";
        break;
      case '\t':
        quoted += "\\t";
        break;
      case '\r':
        quoted += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
          quoted += c;
    }
  }
  return quoted + "\"";
}

void must_be_one_of(TomlTable& table, std::string_view key, std::string_view value,
                    std::span<const std::string> known, std::string_view noun) {
  if (std::ranges::find(known, value) != known.end()) return;
  table.reject(key,
               fmt::format("'{}' is no {}{}", value, noun.empty() ? key : noun, did_you_mean(value, known)),
               fmt::format("known: {}", joined(known, ", ")));
}

}  // namespace shakedown
