#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/lines.hpp"

namespace shakedown {

/// What a JSON text holds at one place.
struct JsonEvent {
  enum class Kind { begin_object, end_object, begin_array, end_array, value };
  Kind kind = Kind::value;
  std::string_view
      value;  ///< of a string without its quotes, escapes as they are; of anything else as printed
  int line = 0;
};

/// Walks over a JSON text that comes line by line, between other text and with no more memory than the path
/// to where it is. A line that can't be a part of JSON is passed over; a text that breaks off or goes wrong
/// ends the walk, and the next line that begins with a brace starts another.
class JsonWalk {
 public:
  using Take = std::function<void(const JsonEvent&)>;
  explicit JsonWalk(Take take) : take_(std::move(take)) {}

  /// Whether `line` is taken for a part of a JSON text.
  bool read(const LogLine& line);

  /// Names of the members that lead to the value or container of the event; "" is a place in an array. The
  /// whole text is the empty path.
  [[nodiscard]] const std::vector<std::string>& path() const { return path_; }
  [[nodiscard]] bool within() const { return !containers_.empty(); }
  /// Gives up what has begun.
  void forget();

 private:
  bool open(char bracket, int line);
  bool close(char bracket, int line);
  bool scalar(std::string_view text, int line);
  [[nodiscard]] bool wants_value() const;

  Take take_;
  std::vector<char> containers_;  ///< '{' and '['
  std::vector<std::string> path_;
  bool named_ = false;  ///< a member's name has come, its value not yet
};

}  // namespace shakedown
