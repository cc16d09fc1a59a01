#include "suites/mlperf/reference/mllog.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace training {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

Json::Json(const char* text) : text_(quoted(text)) {}
Json::Json(const std::string& text) : text_(quoted(text)) {}
Json::Json(bool value) : text_(value ? "true" : "false") {}
Json::Json(int number) : text_(std::to_string(number)) {}
Json::Json(long long number) : text_(std::to_string(number)) {}
Json::Json(unsigned long long number) : text_(std::to_string(number)) {}

Json::Json(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  // As Python's json writes them, which is what MLPerf's reader takes.
  text_ = std::isnan(number)   ? "NaN"
          : std::isinf(number) ? (number > 0 ? "Infinity" : "-Infinity")
                               : std::string(digits.data(), end);
}

Json::Json(const std::vector<std::pair<std::string, Json>>& members) {
  for (const auto& [name, value] : members)
    text_ += (text_.empty() ? "{" : ", ") + quoted(name) + ": " + value.text();
  text_ += text_.empty() ? "{}" : "}";
}

void MlLog::point(std::string_view key, const Json& value, const Members& metadata,
                  const Place& place) const {
  line("POINT_IN_TIME", key, value.text(), metadata, place);
}

void MlLog::start(std::string_view key, const Members& metadata, const Place& place) const {
  line("INTERVAL_START", key, Json().text(), metadata, place);
}

void MlLog::stop(std::string_view key, const Members& metadata, const Place& place) const {
  line("INTERVAL_END", key, Json().text(), metadata, place);
}

void MlLog::line(std::string_view type, std::string_view key, const std::string& value, Members metadata,
                 const Place& place) const {
  if (!talks_) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const long long ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  metadata.insert(metadata.begin(),
                  {{"file", file_name(place.file_name())}, {"lineno", static_cast<int>(place.line())}});
  const std::string text = ":::MLLOG {\"namespace\": \"\", \"time_ms\": " + std::to_string(ms) +
                           ", \"event_type\": " + quoted(type) + ", \"key\": " + quoted(key) +
                           ", \"value\": " + value + ", \"metadata\": " + Json(metadata).text() + "}\n";
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace training
