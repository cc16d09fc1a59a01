#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// A text of which few different ones are there, each kept once for as long as the program runs: titles and
/// sources of rules. A copy costs nothing.
class KeptText : public std::string_view {
 public:
  KeptText() = default;
  /// Of a text that lives as long as the program: no copy is made.
  template <std::size_t n>
  KeptText(const char (&literal)[n]) : std::string_view(literal) {}  // NOLINT(google-explicit-constructor)
  KeptText(const std::string& text) : KeptText(kept(text)) {}        // NOLINT(google-explicit-constructor)
  /// `text` lives as long as the program: a row of a constant table.
  static KeptText of_table(std::string_view text) { return KeptText(text); }

  [[nodiscard]] std::string str() const { return std::string(*this); }
  friend bool operator==(const KeptText& a, const KeptText& b) {
    return a.size() == b.size() && (a.data() == b.data() || std::string_view(a) == std::string_view(b));
  }

 private:
  explicit KeptText(std::string_view text) : std::string_view(text) {}
  static std::string_view kept(std::string_view text);
};

}  // namespace shakedown
