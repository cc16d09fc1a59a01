#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orchestrator/core/json_text.hpp"

namespace shakedown {

/// A column of numbers in a block: what the page makes a typed array of.
struct Column {
  std::string_view type;   ///< "u32", "d32" (each number as its difference from the one before), "f64", "q16"
  std::size_t offset = 0;  ///< of its first byte in the block
  std::size_t length = 0;  ///< numbers
  double least = 0;        ///< of q16: value = least + step * number
  double step = 0;
};
void write(JsonText& json, std::string_view key, const Column& column);

/// Columns behind each other, little-endian, each at a multiple of 8 bytes.
class ColumnBlock {
 public:
  Column add(std::span<const std::uint32_t> numbers);
  Column add(std::span<const double> numbers);  ///< no number: NaN
  /// Ascending numbers, which compress well as differences.
  Column add_ascending(std::span<const std::uint32_t> numbers);
  /// Numbers that need not be exact: in 65 535 steps where each is at most 1/20 000 of the least number, in
  /// 32 bits where that is not possible.
  Column add_rounded(std::span<const double> numbers);
  /// `{"encoding":"deflate-raw","bytes":N,"data":"<base64>"}`; the encoding is "none" where compressed bytes
  /// are no fewer. `bytes` are those of the block.
  void write(JsonText& json) const;

 private:
  Column put(std::string_view type, const void* bytes, std::size_t size, std::size_t length);
  std::string bytes_;
};

/// Texts by number, each once.
class TextTable {
 public:
  std::uint32_t number(std::string_view text);
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace shakedown
