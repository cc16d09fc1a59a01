#pragma once
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace training {

/// A value in JSON.
class Json {
 public:
  Json() : text_("null") {}
  Json(const char* text);  // NOLINT(google-explicit-constructor): values are written as they are
  Json(const std::string& text);
  Json(bool value);
  Json(int number);
  Json(long long number);
  Json(unsigned long long number);
  Json(double number);
  explicit Json(const std::vector<std::pair<std::string, Json>>& members);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

using Members = std::vector<std::pair<std::string, Json>>;

/// MLPerf's log: a line for each event, on standard output of rank 0.
///
/// Source: mlcommons/logging, mllog.py.
class MlLog {
 public:
  explicit MlLog(bool talks) : talks_(talks) {}

  using Place = std::source_location;
  void point(std::string_view key, const Json& value, const Members& metadata = {},
             const Place& place = Place::current()) const;
  void start(std::string_view key, const Members& metadata = {}, const Place& place = Place::current()) const;
  void stop(std::string_view key, const Members& metadata = {}, const Place& place = Place::current()) const;

 private:
  void line(std::string_view type, std::string_view key, const std::string& value, Members metadata,
            const Place& place) const;

  bool talks_;
};

}  // namespace training
