#include "orchestrator/core/toml_copy.hpp"

#include <toml++/toml.h>
#include <algorithm>

#include "orchestrator/core/toml.hpp"

namespace shakedown {
namespace {

struct Found {
  TomlValue value;
  toml::source_region where;
};

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* truth = node.as_boolean()) return std::string(truth->get() ? "true" : "false");
  return std::nullopt;
}

/// The values below a node, by their places.
std::vector<Found> values_below(const toml::table& root, std::string_view name) {
  struct Open {
    const toml::node* node;
    std::vector<std::string> path;
    bool marked;
  };
  std::vector<Found> found;
  std::vector<Open> open = {{&root, {}, false}};
  while (!open.empty()) {
    const Open each = std::move(open.back());
    open.pop_back();
    if (auto text = scalar_text(*each.node)) {
      const toml::source_region& where = each.node->source();
      found.push_back(
          {{each.path, fmt::format("{}:{}", name, where.begin.line), *std::move(text), each.marked}, where});
    }
    if (const auto* array = each.node->as_array())
      for (const toml::node& element : *array) open.push_back({&element, each.path, each.marked});
    if (const auto* table = each.node->as_table()) {
      const bool marked = table->get_as<bool>("secret") != nullptr && table->get_as<bool>("secret")->get();
      for (const auto& [key, value] : *table) {
        Open next{&value, each.path, marked};
        next.path.emplace_back(key.str());
        open.push_back(std::move(next));
      }
    }
  }
  std::ranges::sort(found, [](const Found& a, const Found& b) { return a.where.begin < b.where.begin; });
  return found;
}

}  // namespace

Result<std::string> copied_toml(std::string_view text, std::string_view name,
                                const std::function<Result<TomlChanges>(std::span<const TomlValue>)>& changes,
                                const std::function<std::string(std::string_view)>& comment) {
  if (const auto table = TomlTable::parse(text, name); !table) return failure_of(table);
  const toml::table root = toml::parse(text, name);
  std::vector<TomlValue> values;
  std::vector<Found> found = values_below(root, name);
  values.reserve(found.size());
  for (Found& each : found) values.push_back(std::move(each.value));
  const auto wanted = changes(values);
  if (!wanted) return failure_of(wanted);
  std::vector<TextChange> made;
  for (std::size_t i = 0; i < std::min(found.size(), wanted->size()); ++i) {
    const toml::source_region& where = found[i].where;
    if (const std::optional<std::string>& instead = (*wanted)[i]; instead.has_value())
      made.push_back({offset_of(text, where.begin.line, where.begin.column),
                      offset_of(text, where.end.line, where.end.column), toml_quoted(instead.value())});
  }
  for (const TextRange& each : toml_comments(text))
    made.push_back({each.begin, each.end, comment(text.substr(each.begin, each.end - each.begin))});
  return changed_text(text, std::move(made));
}

namespace {

/// The end of the string whose quotes begin at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool several_lines = text.substr(at).starts_with(three);
  const std::string_view closing =
      several_lines ? std::string_view(three) : std::string_view(three).substr(2);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i).starts_with(closing)) {
      i += closing.size();
      while (several_lines && i < text.size() && text[i] == quote) ++i;  // """a""""
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::size_t offset_of(std::string_view text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1 && at < text.size(); --line) {
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  for (; column > 1 && at < text.size(); --column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

std::vector<TextRange> toml_comments(std::string_view text) {
  std::vector<TextRange> comments;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"' || text[at] == '\'') {
      at = string_end(text, at);
    } else if (text[at] == '#') {
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      comments.push_back({at, end});
      at = end;
    } else {
      ++at;
    }
  }
  return comments;
}

std::string changed_text(std::string_view text, std::vector<TextChange> changes) {
  std::ranges::sort(changes, {}, &TextChange::begin);
  std::string changed;
  std::size_t at = 0;
  for (const TextChange& each : changes) {
    changed.append(text.substr(at, each.begin - at)).append(each.instead);
    at = each.end;
  }
  return changed.append(text.substr(at));
}

}  // namespace shakedown
