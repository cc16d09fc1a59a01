#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

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

using Pieces = std::vector<std::string>;

/// Adds an array that is a member of the document: an element is an object of its own no longer than it takes
/// to write it.
void add_array(Pieces& pieces, const Elements& elements) {
  Pieces texts(elements.count);
  for_each_index(elements.count, usable_cpus(), [&](std::size_t i) {
    for (const json& each : elements.of(i)) texts[i] += (",\n    " + DocumentWriter(4).text_of(each));
  });
  std::erase_if(texts, [](const std::string& each) { return each.empty(); });
  if (texts.empty()) {
    pieces.emplace_back("[]");
    return;
  }
  texts.front().front() = '[';  // for its comma
  std::ranges::move(texts, std::back_inserter(pieces));
  pieces.emplace_back("\n  ]");
}

/// The pieces as one text, each gone when it is in it: of a large campaign they are megabytes.
std::string put_together(Pieces pieces, std::size_t room) {
  for (const std::string& each : pieces) room += each.size();
  std::string text;
  text.reserve(room);
  for (std::string& each : pieces) text += std::exchange(each, {});
  return text;
}

}  // namespace

std::string document_text(const json& document, const ElementsByKey& elements) {
  if (!document.is_object() || document.empty()) return DocumentWriter().text_of(document);
  Pieces pieces;
  for (const auto& [key, value] : document.get_ref<const json::object_t&>()) {
    pieces.push_back((pieces.empty() ? "{\n  " : ",\n  ") + DocumentWriter().text_of(json(key)) + ": ");
    if (const auto found = elements.find(key); found != elements.end())
      add_array(pieces, found->second);
    else
      pieces.push_back(DocumentWriter(2).text_of(value));
  }
  pieces.emplace_back("\n}");
  return put_together(std::move(pieces), 1);  // a newline will follow
}

}  // namespace shakedown::results_json
