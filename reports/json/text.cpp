#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/json/objects.hpp"

namespace shakedown::results_json {
namespace {

/// Writes what `json::dump` would, which handles each character by itself and takes twice as long.
class DocumentWriter {
 public:
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
  [[nodiscard]] std::string take() { return std::move(text_); }

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
  std::size_t depth_ = 0;
};

}  // namespace

std::string document_text(const json& document) {
  DocumentWriter writer;
  writer.write(document);
  return writer.take();
}

}  // namespace shakedown::results_json
