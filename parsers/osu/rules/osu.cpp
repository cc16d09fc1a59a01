#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

/// A row as the parser records it, with a way to its cells by column.
struct OsuRow {
  const Fact* fact = nullptr;
  std::vector<std::string_view> names;
  std::vector<std::string_view> cells;

  /// Empty where the table has no such column.
  [[nodiscard]] std::string_view cell(std::string_view name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::string_view() : cells[static_cast<size_t>(at - names.begin())];
  }
  [[nodiscard]] std::optional<PrintedNumber> number(std::string_view name) const {
    return printed_number(cell(name));
  }
};

std::vector<OsuRow> osu_rows_of(const ParsedResult& result) {
  std::vector<OsuRow> rows;
  const Fact* columns = result.fact("columns");
  if (columns == nullptr) return rows;
  const auto names = words(columns->value);
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("row ")) continue;
    auto cells = words(fact.value);
    if (cells.size() == names.size()) rows.push_back({&fact, names, std::move(cells)});
  }
  return rows;
}

Finding data_came_back(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* refused = result.fact("validation"))
    return failed(refused->value, refused->line, "the program reports wrong data");
  const auto rows = osu_rows_of(result);
  if (rows.empty()) return unknown("the log has no rows");
  if (rows.front().cell("validation").empty()) return unknown("the run did not check its data (-c)");
  for (const OsuRow& row : rows)
    if (row.cell("validation") != "Pass")
      return failed(row.fact->value, row.fact->line, "the data of this size came back wrong");
  return passed(fmt::format("{} sizes", rows.size()), rows.front().fact->line);
}

Finding message_rate(const Evidence& evidence) {
  const auto rows = osu_rows_of(*evidence.result);
  if (rows.empty() || rows.front().cell("messages_s").empty() || rows.front().cell("size").empty())
    return not_applicable("the table has no message rate");
  for (const OsuRow& row : rows) {
    const auto size = row.number("size");
    const auto bandwidth = row.number("bandwidth_mb_s");
    const auto rate = row.number("messages_s");
    if (!size || !bandwidth || !rate) return unknown("the table has no bandwidth");
    const double factor = size->value * 1e-6;
    if (!overlap(bandwidth->low, bandwidth->high, rate->low * factor, rate->high * factor))
      return failed(
          fmt::format("{} MB/s; {} messages of {} bytes in a second are {} MB/s", row.cell("bandwidth_mb_s"),
                      row.cell("messages_s"), row.cell("size"), number(rate->value * factor, 7)),
          row.fact->line, "the bandwidth does not follow from size and message rate");
  }
  return passed(fmt::format("{} sizes", rows.size()), rows.front().fact->line);
}

Finding order_of_latencies(const Evidence& evidence) {
  const auto rows = osu_rows_of(*evidence.result);
  if (rows.empty() || rows.front().cell("min_latency_us").empty())
    return not_applicable("the table has no least and largest latency");
  for (const OsuRow& row : rows) {
    const auto low = row.number("min_latency_us");
    const auto average = row.number("latency_us");
    const auto high = row.number("max_latency_us");
    if (!low || !average || !high) return unknown("the table has no average latency");
    if (low->low > average->high || average->low > high->high)
      return failed(row.fact->value, row.fact->line,
                    "the average latency is not between the least and the largest");
  }
  return passed(fmt::format("{} sizes", rows.size()), rows.front().fact->line);
}

Finding overlap_identity(const Evidence& evidence) {
  const auto rows = osu_rows_of(*evidence.result);
  if (rows.empty() || rows.front().cell("overlap_pct").empty())
    return not_applicable("the table has no overlap");
  const OsuRow* timeless = nullptr;
  for (const OsuRow& row : rows) {
    const auto overall = row.number("overall_us");
    const auto compute = row.number("compute_us");
    const auto pure = row.number("pure_comm_us");
    const auto printed = row.number("overlap_pct");
    if (!overall || !compute || !pure || !printed) return unknown("the table lacks one of the times");
    if (pure->low <= 0) {
      if (timeless == nullptr) timeless = &row;
      continue;
    }
    // Overall and compute are rounded, and so is what divides their difference.
    const double most = overall->high - compute->low;
    const double least = overall->low - compute->high;
    const double low = std::max(0.0, 100 - 100 * std::max(most / pure->low, most / pure->high));
    const double high = std::max(0.0, 100 - 100 * std::min(least / pure->low, least / pure->high));
    if (!overlap(printed->low, printed->high, low, high))
      return failed(fmt::format("{} %; the times give {} to {} %", row.cell("overlap_pct"), number(low, 4),
                                number(high, 4)),
                    row.fact->line, "the overlap does not follow from the times");
  }
  if (timeless != nullptr)
    return unknown(fmt::format("the pure communication of {} bytes is printed as {} us: no overlap follows "
                               "from it",
                               timeless->cell("size"), timeless->cell("pure_comm_us")),
                   timeless->fact->value, timeless->fact->line);
  return passed(fmt::format("{} sizes", rows.size()), rows.front().fact->line);
}

Finding sizes_grow(const Evidence& evidence) {
  const auto rows = osu_rows_of(*evidence.result);
  if (rows.size() < 2 || rows.front().cell("size").empty()) return not_applicable("the table has one row");
  for (size_t i = 1; i < rows.size(); ++i) {
    const auto size = rows[i].number("size");
    const auto before = rows[i - 1].number("size");
    if (!size || !before) return unknown("a size can't be read", rows[i].fact->value, rows[i].fact->line);
    if (size->value <= before->value)
      return failed(fmt::format("{} after {}", rows[i].cell("size"), rows[i - 1].cell("size")),
                    rows[i].fact->line, "the sizes don't grow: lines are missing, or two tables are mixed");
  }
  return passed(fmt::format("{} sizes", rows.size()), rows.front().fact->line);
}

Finding not_below_zero(const Evidence& evidence) {
  constexpr std::array<std::string_view, 6> columns = {"size",       "bandwidth_mb_s", "messages_s",
                                                       "latency_us", "min_latency_us", "max_latency_us"};
  const auto rows = osu_rows_of(*evidence.result);
  for (const OsuRow& row : rows)
    for (const std::string_view column : columns)
      if (const auto value = row.number(column); value && value->value < 0)
        return failed(row.fact->value, row.fact->line, "a size, rate or time below 0");
  return rows.empty() ? unknown("the log has no rows") : passed(fmt::format("{} rows", rows.size()));
}

constexpr std::array osu_table = {
    Rule{"OSU-01", Severity::validity, "All data came back as it was sent",
         "OSU micro-benchmarks, c/util/osu_util_validation.c", data_came_back},
    Rule{"OSU-02", Severity::validity, "MB/s is messages/s x size", "OSU micro-benchmarks, osu_mbw_mr.c",
         message_rate},
    Rule{"OSU-03", Severity::validity, "The average latency lies between the least and the largest",
         "OSU micro-benchmarks, c/util/osu_util_mpi.c", order_of_latencies},
    Rule{"OSU-04", Severity::validity, "The overlap is 100 - (overall - compute) / pure communication",
         "OSU micro-benchmarks, c/util/osu_util_mpi.c", overlap_identity},
    Rule{"OSU-05", Severity::validity, "The sizes of a table grow", "OSU micro-benchmarks", sizes_grow},
    Rule{"OSU-06", Severity::validity, "No size, rate or latency is below 0", "OSU micro-benchmarks",
         not_below_zero},
};

std::vector<RuleResult> judge_osu(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(osu_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook osu;
const RuleBook osu = {.suite = "osu", .own_check = "OSU-01", .judge = judge_osu};

}  // namespace shakedown::rules
