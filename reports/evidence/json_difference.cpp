#include "reports/evidence/json_difference.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

using CompareJson = nlohmann::json;

std::string short_value(const CompareJson& value) {
  constexpr std::size_t longest = 300;
  std::string text = value.is_string() ? value.get<std::string>()
                                       : value.dump(-1, ' ', false, CompareJson::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + " ...";
  return printable_line(text);
}

/// What an element is called in its array: the first of these members; empty: nothing.
std::string element_name(const CompareJson& element) {
  for (const char* member : {"id", "case", "name", "metric", "suite"})
    if (element.is_object() && element.contains(member) && element[member].is_string())
      return printable_line(element[member].get<std::string>());
  return "";
}

class JsonComparison {
 public:
  explicit JsonComparison(std::size_t most) : most_(most) {}

  void compare(const CompareJson& first, const CompareJson& second, const std::string& path) {
    if (found_.size() >= most_ || first == second) return;
    if (first.is_object() && second.is_object()) {
      for (const auto& [key, value] : first.items())
        if (const auto it = second.find(key); it != second.end())
          compare(value, *it, below(path, key));
        else
          found_.push_back({below(path, key), short_value(value), ""});
      for (const auto& [key, value] : second.items())
        if (!first.contains(key)) found_.push_back({below(path, key), "", short_value(value)});
    } else if (first.is_array() && second.is_array()) {
      for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        const CompareJson& named = i < first.size() ? first[i] : second[i];
        const std::string name = element_name(named);
        const std::string place = fmt::format("{}[{}{}{}]", path, i, name.empty() ? "" : " ", name);
        if (i >= first.size())
          found_.push_back({place, "", short_value(second[i])});
        else if (i >= second.size())
          found_.push_back({place, short_value(first[i]), ""});
        else
          compare(first[i], second[i], place);
      }
    } else {
      found_.push_back({path, short_value(first), short_value(second)});
    }
  }

  std::vector<JsonDifference> take() {
    if (found_.size() > most_) found_.resize(most_);
    return std::move(found_);
  }

 private:
  static std::string below(const std::string& path, const std::string& key) {
    return (path.empty() ? "" : path + ".") + printable_line(key);
  }
  std::size_t most_;
  std::vector<JsonDifference> found_;
};

}  // namespace

Result<std::vector<JsonDifference>> json_differences(std::string_view first, std::string_view second,
                                                     std::size_t most) try {
  JsonComparison comparison(most);
  comparison.compare(json_or_thrown<CompareJson>(first), json_or_thrown<CompareJson>(second), "");
  return comparison.take();
} catch (const CompareJson::exception& error) {
  return fail("", error.what());
}

}  // namespace shakedown
