#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/parallel.hpp"
#include "reports/json/objects.hpp"

namespace shakedown::results_json {
namespace {

/// Writes what `json::dump` would, which handles each character by itself and takes twice as long.
class DocumentWriter {
 public:
  explicit DocumentWriter(std::size_t depth = 0) : depth_(depth) {}

  void write(const json& value) {
    switch (value.type()) {
      case json::value_t::object:
        return write_members(value.get_ref<const json::object_t&>(), '{', '}', [&](const auto& member) {
          write_string(member.first);
          text_ += ": ";
          write(member.second);
        });
      case json::value_t::array:
        return write_members(value.get_ref<const json::array_t&>(), '[', ']',
                             [&](const json& element) { write(element); });
      case json::value_t::string:
        return write_string(value.get_ref<const std::string&>());
      case json::value_t::number_integer:
        text_ += fmt::format_int(value.get<std::int64_t>()).c_str();
        return;
      case json::value_t::number_unsigned:
        text_ += fmt::format_int(value.get<std::uint64_t>()).c_str();
        return;
      default:
        text_ += value.dump();
    }
  }
  [[nodiscard]] std::string text_of(const json& value) && {
    write(value);
    return std::move(text_);
  }

 private:
  template <class Members, class Each>
  void write_members(const Members& members, char open, char close, const Each& each) {
    text_ += open;
    depth_ += 2;
    bool first = true;
    for (const auto& member : members) {
      text_ += first ? "\n" : ",\n";
      text_.append(depth_, ' ');
      each(member);
      first = false;
    }
    depth_ -= 2;
    if (!first) (text_ += '\n').append(depth_, ' ');
    text_ += close;
  }

  void write_string(const std::string& string) {
    const bool plain =
        std::ranges::all_of(string, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain)
      ((text_ += '"') += string) += '"';
    else
      text_ += json(string).dump(-1, ' ', false, json::error_handler_t::replace);
  }

  std::string text_;
  std::size_t depth_;
};

/// Appends an array that is a member of the document. Of a large campaign it is megabytes, so that each
/// element is an object, and then a text, of its own no longer than it takes to write it.
void append_array(std::string& text, const Elements& elements) {
  std::vector<std::string> texts(elements.count);
  for_each_index(elements.count, usable_cpus(), [&](std::size_t i) {
    for (const json& each : elements.of(i)) texts[i] += (",\n    " + DocumentWriter(4).text_of(each));
  });
  std::size_t size = text.size();
  for (const std::string& each : texts) size += each.size();
  text.reserve(size);
  text += '[';
  const std::size_t begin = text.size();
  for (std::string& each : texts) {
    text.append(each, text.size() == begin && !each.empty() ? 1 : 0);
    each = std::string();
  }
  text += text.size() == begin ? "]" : "\n  ]";
}

}  // namespace

std::string document_text(const json& document, const ElementsByKey& elements) {
  if (!document.is_object() || document.empty()) return DocumentWriter().text_of(document);
  std::string text = "{";
  for (const auto& [key, value] : document.get_ref<const json::object_t&>()) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    const auto found = elements.find(key);
    text += DocumentWriter().text_of(json(key)) + ": ";
    if (found == elements.end())
      text += DocumentWriter(2).text_of(value);
    else
      append_array(text, found->second);
  }
  text += "\n}";
  return text;
}

}  // namespace shakedown::results_json
