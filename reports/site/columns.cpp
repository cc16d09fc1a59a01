#include "reports/site/columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "orchestrator/core/signature.hpp"
#include "reports/site/deflate.hpp"

namespace shakedown {

static_assert(std::endian::native == std::endian::little, "columns are little-endian");

void write(JsonText& json, std::string_view key, const Column& column) {
  json.key(key);
  json.begin_array();
  json.value(column.type);
  json.value(static_cast<std::int64_t>(column.offset));
  json.value(static_cast<std::int64_t>(column.length));
  if (column.type == "q16") {
    json.value(column.least);
    json.value(column.step);
  }
  json.end_array();
}

Column ColumnBlock::put(std::string_view type, const void* bytes, std::size_t size, std::size_t length) {
  const Column column{type, bytes_.size(), length, 0, 0};
  bytes_.append(static_cast<const char*>(bytes), size);
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  return column;
}

Column ColumnBlock::add(std::span<const std::uint32_t> numbers) {
  return put("u32", numbers.data(), numbers.size_bytes(), numbers.size());
}

Column ColumnBlock::add(std::span<const double> numbers) {
  return put("f64", numbers.data(), numbers.size_bytes(), numbers.size());
}

Column ColumnBlock::add_ascending(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> differences;
  differences.reserve(numbers.size());
  std::uint32_t last = 0;
  for (const std::uint32_t number : numbers) {
    differences.push_back(number - last);
    last = number;
  }
  return put("d32", differences.data(), differences.size() * sizeof(std::uint32_t), differences.size());
}

Column ColumnBlock::add_rounded(std::span<const double> numbers) {
  static constexpr double steps = 65'535;
  static constexpr double coarsest = 1.0 / 20'000;
  const auto [least, most] = std::ranges::minmax_element(numbers);
  const double range = numbers.empty() ? 0 : *most - *least;
  if (numbers.empty() || !std::isfinite(range) || !(*least > 0) || range / steps > coarsest * *least) {
    const std::vector<float> exact(numbers.begin(), numbers.end());
    return put("f32", exact.data(), exact.size() * sizeof(float), exact.size());
  }
  const double step = range > 0 ? range / steps : 1;
  std::vector<std::uint16_t> rounded;
  rounded.reserve(numbers.size());
  for (const double number : numbers)
    rounded.push_back(static_cast<std::uint16_t>(std::lround((number - *least) / step)));
  Column column = put("q16", rounded.data(), rounded.size() * sizeof(std::uint16_t), rounded.size());
  column.least = *least;
  column.step = step;
  return column;
}

void ColumnBlock::write(JsonText& json) const {
  const std::string compressed = deflated(bytes_);
  const bool pays = compressed.size() < bytes_.size();
  json.begin_object();
  json.member("encoding", pays ? "deflate-raw" : "none");
  json.member("bytes", static_cast<std::int64_t>(bytes_.size()));
  json.member("data", base64(pays ? compressed : bytes_));
  json.end_object();
}

std::uint32_t TextTable::number(std::string_view text) {
  const auto [at, fresh] = numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (fresh) texts_.emplace_back(text);
  return at->second;
}

}  // namespace shakedown
