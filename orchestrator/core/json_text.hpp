#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace shakedown {

/// Writes one JSON document straight into a text, byte by byte as nlohmann's `dump(-1, ' ', false, replace)`
/// of the same document would: for documents that are made by the thousand. Bytes that are no UTF-8 become
/// U+FFFD. The caller closes what it opens, and gives each member of an object its key first.
class JsonText {
 public:
  JsonText() { text_.reserve(usual_bytes); }
  /// Behind what `text` holds.
  explicit JsonText(std::string text) : text_(std::move(text)) {}
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(double number);  ///< null if it is not finite
  void value(std::int64_t number);
  void value(int number) { value(std::int64_t{number}); }
  void value(bool state);
  /// `key` and `value`.
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void string(std::string_view text);

  static constexpr std::size_t usual_bytes = 4096;
  std::string text_;
  bool follows_ = false;  ///< a value stands before the next one
};

}  // namespace shakedown
