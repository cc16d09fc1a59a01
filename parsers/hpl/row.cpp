#include "parsers/hpl/row.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <span>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

struct ColumnName {
  std::string_view name;
  HplColumn column;
};
constexpr std::array column_names = {
    ColumnName{"T/V", HplColumn::variant},   ColumnName{"N", HplColumn::N},
    ColumnName{"NB", HplColumn::NB},         ColumnName{"P", HplColumn::P},
    ColumnName{"Q", HplColumn::Q},           ColumnName{"Time", HplColumn::time},
    ColumnName{"Gflops", HplColumn::gflops},
};

/// Whether a word has the shape of T/V: WR11C2R4, WC0, WR0XR8C48.
bool is_variant(std::string_view word) {
  if (word.size() < 3 || word.size() > 24 || word[0] != 'W' || (word[1] != 'R' && word[1] != 'C'))
    return false;
  if (word[2] < '0' || word[2] > '9') return false;
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  });
}

std::string unreadable(std::string_view column, std::string_view word) {
  return fmt::format("its {} is '{}'", column, word);
}

/// The row whose T/V is the first of `cells`.
HplRow row_of(std::span<const std::string_view> cells, const std::vector<HplColumn>& columns) {
  HplRow row;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i >= cells.size()) {
      if (columns[i] != HplColumn::gflops_per_gpu) row.fault = "it is cut";
      return row;
    }
    const std::string_view cell = cells[i];
    const auto whole = [&](std::int64_t& field, std::string_view name) {
      if (const auto value = positive_integer(cell))
        field = *value;
      else
        row.fault = unreadable(name, cell);
    };
    switch (columns[i]) {
      case HplColumn::variant:
        row.variant = cell;
        break;
      case HplColumn::N:
        whole(row.N, "N");
        break;
      case HplColumn::NB:
        whole(row.NB, "NB");
        break;
      case HplColumn::P:
        whole(row.P, "P");
        break;
      case HplColumn::Q:
        whole(row.Q, "Q");
        break;
      case HplColumn::time:
        if (const auto value = finite_number(cell); value && *value >= 0)
          row.time_s = *value;
        else
          row.fault = unreadable("Time", cell);
        row.time = cell;
        break;
      case HplColumn::gflops:
        if (!is_whole_exponential(cell)) row.fault = unreadable("Gflops", cell);
        row.gflops = cell;
        break;
      case HplColumn::gflops_per_gpu:
        if (is_whole_exponential(cell)) row.gflops_per_gpu = cell;
        break;
      case HplColumn::other:
        break;
    }
    if (!row.fault.empty()) return row;
  }
  return row;
}

constexpr size_t most_cells = 64;  ///< of a line with a row among other ranks' words

/// Blanks and brackets, by the character's number.
constexpr auto is_gap = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view(" ()\t\n\v\f\r")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// The words of `text` between blanks and brackets; how many.
size_t cells_of(std::string_view text, std::array<std::string_view, most_cells>& cells) {
  size_t count = 0;
  size_t at = 0;
  const auto gap = [](char c) { return is_gap[static_cast<unsigned char>(c)]; };
  while (count < cells.size()) {
    while (at < text.size() && gap(text[at])) ++at;
    if (at == text.size()) break;
    const size_t start = at;
    while (at < text.size() && !gap(text[at])) ++at;
    cells[count++] = text.substr(start, at - start);
  }
  return count;
}

/// Whether a formula has "||b||". Its letter is rarer than its bars, so it is looked for.
bool has_norm_of_b(std::string_view formula) {
  for (size_t at = formula.find('b'); at != std::string_view::npos; at = formula.find('b', at + 1))
    if (at >= 2 && formula.substr(at - 2).starts_with("||b||")) return true;
  return false;
}

}  // namespace

std::optional<std::vector<HplColumn>> hpl_columns(std::string_view line) {
  std::string_view text = trimmed(line);
  const size_t start = text.find("T/V ");
  if (start == std::string_view::npos || text.find(" Gflops", start) == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(start);
  const size_t bracket = std::min(text.find('('), text.size());
  std::vector<HplColumn> columns;
  for (const std::string_view word : words(text.substr(0, bracket))) {
    const auto it = std::find_if(column_names.begin(), column_names.end(),
                                 [&](const ColumnName& known) { return known.name == word; });
    columns.push_back(it == column_names.end() ? HplColumn::other : it->column);
  }
  for (const ColumnName& known : column_names)
    if (std::count(columns.begin(), columns.end(), known.column) != 1) return std::nullopt;
  if (text.substr(bracket).find("per GPU") != std::string_view::npos)
    columns.push_back(HplColumn::gflops_per_gpu);
  return columns;
}

std::optional<HplRow> hpl_row(const LogLine& line, const std::vector<HplColumn>& columns, bool anywhere) {
  const std::string_view text = trimmed(line.text);
  if (!anywhere && !text.starts_with('W')) return std::nullopt;
  std::array<std::string_view, most_cells> found;
  const std::span<const std::string_view> cells(found.data(), cells_of(text, found));
  // A per-GPU rate that the end of the text may have cut has no closing bracket yet.
  const bool open_end = !line.terminated && !text.ends_with(')');
  std::optional<HplRow> first;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (is_variant(cells[i])) {
      HplRow row = row_of(cells.subspan(i), columns);
      if (row.fault.empty()) {
        if (open_end) row.gflops_per_gpu.clear();
        return row;
      }
      if (!line.terminated && row.fault != "it is cut") row.fault = "it is cut";
      if (i == 0) first = std::move(row);
    }
    if (!anywhere) break;
  }
  return first;
}

std::optional<std::array<HplStated, 7>> hpl_variant(std::string_view code) {
  constexpr std::array<std::string_view, 6> broadcasts = {"1ring",  "1ringM", "2ring",
                                                          "2ringM", "Blong",  "BlongM"};
  constexpr size_t before_ndiv = 5;
  const auto number_at = [&](size_t at) {
    return code.substr(at, std::min(code.find_first_not_of("0123456789", at), code.size()) - at);
  };
  const auto factorization = [](char letter) -> std::string_view {
    return letter == 'L' ? "Left" : letter == 'C' ? "Crout" : letter == 'R' ? "Right" : "";
  };
  if (code.size() <= before_ndiv || code[0] != 'W' || (code[1] != 'R' && code[1] != 'C')) return std::nullopt;
  const std::string_view ndiv = number_at(before_ndiv);
  const size_t pfact = before_ndiv + ndiv.size();
  const std::string_view nbmin = pfact < code.size() ? number_at(pfact + 1) : std::string_view();
  if (number_at(2).size() != 2 || code[3] > '5' || factorization(code[4]).empty() || ndiv.empty() ||
      nbmin.empty() || factorization(code[pfact]).empty() || pfact + 1 + nbmin.size() != code.size())
    return std::nullopt;
  return std::array<HplStated, 7>{{{"PMAP", code[1] == 'R' ? "Row-major" : "Column-major"},
                                   {"DEPTH", code.substr(2, 1)},
                                   {"BCAST", broadcasts[static_cast<size_t>(code[3] - '0')]},
                                   {"RFACT", factorization(code[4])},
                                   {"NDIV", ndiv},
                                   {"PFACT", factorization(code[pfact])},
                                   {"NBMIN", nbmin}}};
}

std::optional<HplCheck> hpl_check(std::string_view line) {
  constexpr std::string_view norm = "||Ax-b||_oo";
  const size_t start = line.find(norm);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view quotient = trimmed(line.substr(start + norm.size()));
  if (!quotient.starts_with('/')) return std::nullopt;
  const size_t equals = quotient.find('=');
  if (equals == std::string_view::npos) return std::nullopt;

  HplCheck check;
  const std::string_view formula = quotient.substr(0, equals);
  if (!contains(formula, "eps")) return std::nullopt;
  check.one_of_three = !has_norm_of_b(formula);
  const std::string_view value = quotient.substr(equals + 1);
  const size_t dots = value.find("......");
  if (dots == std::string_view::npos) return check;
  check.residual = trimmed(value.substr(0, dots));
  const std::string_view word =
      trimmed(value.substr(std::min(value.find_first_not_of('.', dots), value.size())));
  static constexpr std::array<std::string_view, 2> verdicts = {"PASSED", "FAILED"};
  for (const std::string_view verdict : verdicts)
    if (word.starts_with(verdict) && (word.size() == verdict.size() || word[verdict.size()] == ' '))
      check.verdict = verdict;
  return check;
}

}  // namespace shakedown
