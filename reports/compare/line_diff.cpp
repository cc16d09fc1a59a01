#include "reports/compare/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

struct DiffLine {
  char mark = ' ';
  std::string_view text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? std::vector<std::string_view>() : split(text, '\n');
}

/// Lengths of the longest common subsequence of the lines from i of one and from j of the other.
class CommonLengths {
 public:
  CommonLengths(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
      : columns_(b.size() + 1), lengths_((a.size() + 1) * columns_, 0) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        lengths_[i * columns_ + j] =
            a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  [[nodiscard]] std::uint32_t at(std::size_t i, std::size_t j) const { return lengths_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint32_t> lengths_;
};

std::vector<DiffLine> compared(const std::vector<std::string_view>& a,
                               const std::vector<std::string_view>& b) {
  constexpr std::size_t most_cells = 25'000'000;  // 100 MB: 5000 lines against 5000
  std::vector<DiffLine> lines;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) lines.push_back({' ', a[i++]});
  j = i;
  const std::vector<std::string_view> rest_a(a.begin() + static_cast<std::ptrdiff_t>(i), a.end());
  const std::vector<std::string_view> rest_b(b.begin() + static_cast<std::ptrdiff_t>(j), b.end());
  if (rest_a.size() * rest_b.size() > most_cells) {  // too long to be matched: all went, all came
    for (const std::string_view line : rest_a) lines.push_back({'-', line});
    for (const std::string_view line : rest_b) lines.push_back({'+', line});
    return lines;
  }
  const CommonLengths common(rest_a, rest_b);
  i = j = 0;
  while (i < rest_a.size() || j < rest_b.size()) {
    if (i < rest_a.size() && j < rest_b.size() && rest_a[i] == rest_b[j]) {
      lines.push_back({' ', rest_a[i]});
      ++i, ++j;
    } else if (j == rest_b.size() || (i < rest_a.size() && common.at(i + 1, j) >= common.at(i, j + 1))) {
      lines.push_back({'-', rest_a[i++]});
    } else {
      lines.push_back({'+', rest_b[j++]});
    }
  }
  return lines;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  constexpr std::size_t around = 2;
  const std::vector<DiffLine> lines = compared(lines_of(before), lines_of(after));
  std::vector<bool> shown(lines.size(), false);
  bool any = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].mark == ' ') continue;
    any = true;
    const std::size_t from = i < around ? 0 : i - around;
    for (std::size_t k = from; k < std::min(lines.size(), i + around + 1); ++k) shown[k] = true;
  }
  if (!any) return "";
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      if (i == 0 || shown[i - 1]) text += "...\n";
      continue;
    }
    text += lines[i].mark;
    text += ' ';
    text += lines[i].text;
    text += '\n';
  }
  return text;
}

}  // namespace shakedown
