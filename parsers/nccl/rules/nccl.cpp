#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

/// A row of one placement as the parser records it: "size count type redop root time algbw busbw wrong".
struct NcclRow {
  std::vector<std::string_view> cells;
  int line = 0;
  PrintedNumber size, count, time, algbw, busbw;
  [[nodiscard]] std::string_view type() const { return cells[2]; }
};

std::vector<NcclRow> nccl_rows_of(const ParsedResult& result) {
  std::vector<NcclRow> rows;
  for (const Fact& fact : result.facts) {
    if (!fact.name.starts_with("row ")) continue;
    NcclRow row{words(fact.value), fact.line, {}, {}, {}, {}, {}};
    if (row.cells.size() != 9) continue;
    const auto at = [&](size_t i) { return printed_number(row.cells[i]); };
    const auto size = at(0), count = at(1), time = at(5), algbw = at(6), busbw = at(7);
    if (!size || !count || !time || !algbw || !busbw) continue;
    row.size = *size;
    row.count = *count;
    row.time = *time;
    row.algbw = *algbw;
    row.busbw = *busbw;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string_view collective_of(const ParsedResult& result) {
  const Value* value = find_parameter(result.parameters, "collective");
  return value != nullptr && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value)
                                                                         : std::string_view();
}

/// busbw over algbw among n ranks; nothing for a collective whose factor is not one number.
std::optional<double> bus_factor(std::string_view collective, double n) {
  if (collective == "all_reduce") return 2 * (n - 1) / n;
  for (const std::string_view name : {"all_gather", "reduce_scatter", "alltoall", "gather", "scatter"})
    if (collective == name) return (n - 1) / n;
  for (const std::string_view name : {"broadcast", "reduce", "sendrecv", "hypercube"})
    if (collective == name) return 1.0;
  return std::nullopt;
}

/// Bytes of an element; 0: not known.
double nccl_bytes_of(std::string_view type) {
  for (const std::string_view name : {"int64", "uint64", "double", "float64"})
    if (type == name) return 8;
  for (const std::string_view name : {"int32", "uint32", "int", "float", "float32"})
    if (type == name) return 4;
  for (const std::string_view name : {"half", "float16", "bfloat16", "bf16"})
    if (type == name) return 2;
  for (const std::string_view name : {"int8", "uint8", "char", "f8e4m3", "f8e5m2", "fp8_e4m3", "fp8_e5m2"})
    if (type == name) return 1;
  return 0;
}

Finding nothing_wrong(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* footer = result.fact("out_of_bounds");
  const Metric* elements = result.metric("wrong_elements");
  const Metric* wrong = result.metric("wrong");
  if (footer == nullptr) return unknown("the log has no 'Out of bounds values'");
  for (const Fact& fact : result.facts)  // of several footers the worst counts
    if (fact.name == "out_of_bounds" && words(fact.value).back() != "OK") footer = &fact;
  const std::string value = fmt::format(
      "Out of bounds values : {}{}", footer->value,
      elements == nullptr ? std::string() : fmt::format(", #wrong {} in all", number(elements->value, 1)));
  if (words(footer->value).back() != "OK")
    return failed(value, footer->line, "values came back wrong: a GPU, a link or the library is broken");
  if (elements != nullptr && elements->value > 0)
    return failed(value, footer->line, "the footer reads OK, and the rows have wrong values");
  if (wrong != nullptr && wrong->value > 0)
    return failed(value, footer->line, "the footer counts wrong values and reads OK");
  if (wrong == nullptr) return unknown("the run did not check its values (-c 0)", value, footer->line);
  if (const Fact* row = result.fact("row_without_check"))
    return unknown("a row has no #wrong, though others of the same placement have", value, row->line);
  if (result.fact("validation") == nullptr || !whole_parameter(result.parameters, "ranks"))
    return unknown(
        "the log has no '# nThread' line or no whole list of ranks: what else it lacks is not known", value,
        footer->line);
  return passed(value, footer->line);
}

const NcclRow* first_without(const std::vector<NcclRow>& rows, double factor) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const NcclRow& row) {
    return !overlap(row.busbw.low, row.busbw.high, factor * row.algbw.low, factor * row.algbw.high);
  });
  return at == rows.end() ? nullptr : &*at;
}

/// For a log that does not name its collective: one factor must do for all rows.
Finding any_factor(const std::vector<NcclRow>& rows, double n) {
  const NcclRow* worst = nullptr;
  for (const double factor : {1.0, (n - 1) / n, 2 * (n - 1) / n}) {
    const NcclRow* row = first_without(rows, factor);
    if (row == nullptr) return unknown("the log does not name its collective");
    if (worst == nullptr || row->line > worst->line) worst = row;
  }
  return failed(fmt::format("busbw {} of algbw {}", worst->cells[7], worst->cells[6]), worst->line,
                fmt::format("no collective among {} ranks has these ratios of busbw to algbw", n));
}

/// For a log without its ranks: whatever their number, the factor is below 2 (all_reduce) or 1 (all others),
/// and the same in all rows.
Finding one_factor(const std::vector<NcclRow>& rows, std::string_view collective) {
  const double most = collective.empty() || collective == "all_reduce" ? 2 : 1;
  double low = 0;
  double high = most;
  for (const NcclRow& row : rows) {
    const double its_low = row.algbw.high > 0 ? row.busbw.low / row.algbw.high : 0;
    const double its_high = row.algbw.low > 0 ? row.busbw.high / row.algbw.low : most;
    if (!overlap(low, high, its_low, its_high))
      return failed(fmt::format("busbw {} of algbw {}; the rows above it have {} to {}", row.cells[7],
                                row.cells[6], number(low, 4), number(high, 4)),
                    row.line,
                    fmt::format("the ratio of busbw to algbw is the same in all rows and at most {}", most));
    low = std::max(low, its_low);
    high = std::min(high, its_high);
  }
  return unknown("the log does not list the ranks");
}

Finding bus_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto ranks = whole_parameter(result.parameters, "ranks");
  const std::string_view collective = collective_of(result);
  const auto rows = nccl_rows_of(result);
  if (rows.empty()) return unknown("the log has no rows");
  if (!ranks) return one_factor(rows, collective);
  if (collective.empty()) return any_factor(rows, static_cast<double>(*ranks));
  const auto factor = bus_factor(collective, static_cast<double>(*ranks));
  if (!factor) return unknown(fmt::format("the ratio of {} depends on what is sent to whom", collective));
  if (const NcclRow* row = first_without(rows, *factor))
    return failed(
        fmt::format("busbw {} of algbw {}; {} x {} is {}", row->cells[7], row->cells[6], row->cells[6],
                    number(*factor, 6), number(*factor * row->algbw.value, 6)),
        row->line,
        fmt::format("busbw is not algbw x {} for {} among {} ranks", number(*factor, 6), collective, *ranks));
  return passed(fmt::format("factor {} for {} among {} ranks, {} values", number(*factor, 6), collective,
                            *ranks, rows.size()),
                rows.front().line);
}

Finding time_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto rows = nccl_rows_of(result);
  if (rows.empty()) return unknown("the log has no rows");
  if (const Fact* fact = result.fact("time_is"))
    return unknown("the times printed are the processor's, not the collective's", fact->value, fact->line);
  if (collective_of(result) == "alltoallv") return unknown("the bytes of alltoallv differ from rank to rank");
  for (const NcclRow& row : rows) {
    if (row.time.value <= 0 && row.size.value > 0)
      return failed(fmt::format("{} bytes in {} us", row.cells[0], row.cells[5]), row.line,
                    "no collective takes no time: algbw follows from nothing");
    const double low = row.size.value / (row.time.high * 1e3);  // bytes per microsecond are MB/s
    if (row.time.low <= 0) continue;
    const double high = row.size.value / (row.time.low * 1e3);
    if (!overlap(row.algbw.low, row.algbw.high, low, high))
      return failed(fmt::format("algbw {}; {} bytes in {} us are {} GB/s", row.cells[6], row.cells[0],
                                row.cells[5], number(row.size.value / (row.time.value * 1e3), 6)),
                    row.line, "algbw does not follow from size and time");
  }
  return passed(fmt::format("{} values", rows.size()), rows.front().line);
}

Finding average_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* printed = result.fact("average_printed");
  const Fact* sum = result.fact("busbw_sum");
  const auto sums = sum == nullptr ? std::vector<std::string_view>() : words(sum->value);
  if (printed == nullptr || sums.size() != 3) return unknown("the log has no rows or no average");
  for (const Fact& fact : result.facts)
    if (fact.name == "average_printed" && fact.value != printed->value)
      return failed(fmt::format("{} and {}", printed->value, fact.value), fact.line,
                    "the log has two averages: one of them is not of this run");
  if (result.fact("validation") == nullptr)
    return unknown("the head of the log is missing, so rows may be too", printed->value, printed->line);
  if (result.fact("rows_unreadable") != nullptr)
    return unknown("not all rows of the table can be read", printed->value, printed->line);
  const double n = finite_number(sums[0]).value_or(1);
  const double low = finite_number(sums[1]).value_or(0) / n;
  const double high = finite_number(sums[2]).value_or(0) / n;
  const auto average = printed_number(printed->value);
  if (!average) return unknown("the average can't be read", printed->value, printed->line);
  return checked(overlap(average->low, average->high, low, high),
                 fmt::format("{}; the rows give {} to {}", printed->value, number(low, 7), number(high, 7)),
                 printed->line, "the average bandwidth is not that of the rows");
}

Finding whole_table(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* table = result.fact("table");
  if (table == nullptr)
    return unknown("the log does not show minBytes, maxBytes, step and ranks, or its sizes differ by rank");
  const bool ends_early = table->value.starts_with("it ends");
  if (table->value != "whole" &&
      (result.fact("rows_unreadable") != nullptr || (ends_early && !result.complete)))
    return unknown("the table is cut, or rows of it can't be read", table->value, table->line);
  return checked(table->value == "whole", table->value, table->line,
                 "rows of the table are missing, repeated or out of order");
}

Finding readable_rows(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* row = result.fact("row_not_finite"))
    return failed("nan or inf", row->line, "a row of the table has a value that is no number");
  if (const Fact* rows = result.fact("rows_unreadable"))
    return unknown(
        fmt::format("{} rows of the table can't be read, and their values may be wrong", rows->value));
  if (result.metrics.empty()) return unknown("the log has no whole table");
  return passed("every row");
}

Finding size_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto rows = nccl_rows_of(result);
  const auto ranks = whole_parameter(result.parameters, "ranks");
  const std::string_view collective = collective_of(result);
  if (rows.empty()) return unknown("the log has no rows");
  if (!ranks || collective.empty()) return unknown("the log does not print both collective and ranks");
  const bool per_rank = collective == "all_gather" || collective == "reduce_scatter" ||
                        collective == "gather" || collective == "scatter" || collective == "alltoall";
  if (collective == "hypercube" || collective == "alltoallv")
    return unknown(fmt::format("the count of {} is not of the whole size", collective));
  bool known = false;
  for (const NcclRow& row : rows) {
    const double element = nccl_bytes_of(row.type());
    if (element == 0) continue;
    known = true;
    const double bytes = row.count.value * element * (per_rank ? static_cast<double>(*ranks) : 1);
    if (bytes != row.size.value)
      return failed(fmt::format("{} elements of {}{} are {} bytes, the row has {}", row.cells[1],
                                row.cells[2], per_rank ? fmt::format(" for each of {} ranks", *ranks) : "",
                                number(bytes, 15), row.cells[0]),
                    row.line, "the size does not follow from count and type");
  }
  if (!known) return unknown("the data type is not known", std::string(rows.front().type()));
  return passed(fmt::format("{} values", rows.size()), rows.front().line);
}

/// nccl-tests built without MPI runs as many tests of one rank as there are processes. It cuts sizes that do
/// not fit its memory, and rounds those that are split down to 16 bytes of each rank.
Finding nccl_as_planned(const Evidence& evidence) {
  const Case* planned = evidence.planned;
  const Value* collective = planned == nullptr || !planned->origin.empty()
                                ? nullptr
                                : find_parameter(planned->parameters, "collective");
  if (collective == nullptr) return not_applicable("there is no plan to compare with");
  const ParsedResult& result = *evidence.result;
  const auto ranks = whole_parameter(result.parameters, "ranks");
  const auto most = whole_parameter(result.parameters, "max_bytes");
  if (!ranks || !most) return unknown("the log has no whole list of ranks, or no whole table");
  const std::string value =
      fmt::format("{} among {} ranks up to {} bytes", collective_of(result), *ranks, *most);
  if (*ranks != planned->ranks)
    return failed(value, 0,
                  fmt::format("{} ranks were started: nccl-tests is built without MPI=1, or with another MPI "
                              "than the one that started it",
                              planned->ranks));
  if (collective_of(result) != value_text(*collective))
    return failed(value, 0, fmt::format("{} was planned", value_text(*collective)));
  constexpr std::int64_t cut_of_rank = 16;
  const auto wanted = whole_parameter(planned->parameters, "max_bytes");
  return checked(!wanted || *most > *wanted - cut_of_rank * *ranks, value, 0,
                 fmt::format("{} bytes were planned: they did not fit the GPU", wanted.value_or(0)));
}

Finding as_wanted(const Evidence& evidence) {
  const Fact* check = evidence.result->fact("average_check");
  if (check == nullptr) return not_applicable("no minimum bandwidth was set (NCCL_TESTS_MIN_BW)");
  return checked(check->value == "OK", check->value, check->line,
                 "the average bandwidth is below 90 % of what NCCL_TESTS_MIN_BW requires");
}

constexpr std::array nccl_table = {
    Rule{"NCCL-01", Severity::validity, "No value came back wrong", "nccl-tests, src/common.cu",
         nothing_wrong},
    Rule{"NCCL-02", Severity::validity, "busbw is algbw times the factor of the collective among its ranks",
         "nccl-tests, doc/PERFORMANCE.md", bus_identity},
    Rule{"NCCL-03", Severity::validity, "algbw is size / time", "nccl-tests, doc/PERFORMANCE.md",
         time_identity},
    Rule{"NCCL-04", Severity::validity, "The average is that of all rows", "nccl-tests, src/common.cu",
         average_identity},
    Rule{"NCCL-05", Severity::validity,
         "The size is count x bytes of an element, for each rank where it is split", "nccl-tests, src/*.cu",
         size_identity},
    Rule{"NCCL-06", Severity::warning, "The average reaches the minimum that was set", "nccl-tests, README",
         as_wanted},
    Rule{"NCCL-07", Severity::validity, "Collective, ranks and largest size are those of the plan",
         "the plan", nccl_as_planned},
    Rule{"NCCL-08", Severity::validity, "The table has each size from minBytes to maxBytes, in order",
         "nccl-tests, src/common.cu, TimeTest; src/*.cu: sizes are cut by less than 16 bytes of each rank",
         whole_table},
    Rule{"NCCL-09", Severity::validity, "Every row of the table can be read", "nccl-tests, src/util.cu",
         readable_rows},
};

constexpr std::array<std::string_view, 1> nccl_decisive = {"NCCL-09"};

std::vector<RuleResult> judge_nccl(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(nccl_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook nccl;
const RuleBook nccl = {
    .suite = "nccl", .own_check = "NCCL-01", .judge = judge_nccl, .decisive = nccl_decisive};

}  // namespace shakedown::rules
