#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

/// Bytes of one unit of a rate: "mb_s" -> 1e6. 0: not known.
double stream_bytes_of(std::string_view unit) {
  struct Unit {
    std::string_view name;
    double bytes;
  };
  constexpr std::array units = {Unit{"mb_s", 1e6},     Unit{"gb_s", 1e9},     Unit{"tb_s", 1e12},
                                Unit{"mib_s", 0x1p20}, Unit{"gib_s", 0x1p30}, Unit{"tib_s", 0x1p40}};
  const auto at = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit; });
  return at == units.end() ? 0 : at->bytes;
}

/// Bytes of an array: exactly by its elements, else within the digits that BabelStream prints ("268.4 MB").
std::optional<PrintedNumber> array_bytes(const ParsedResult& result) {
  const auto elements = whole_parameter(result.parameters, "elements");
  const auto width = whole_parameter(result.parameters, "bytes_per_element");
  if (elements && width) {
    const double bytes = static_cast<double>(*elements) * static_cast<double>(*width);
    return PrintedNumber{bytes, bytes, bytes};
  }
  const Fact* printed = result.fact("array_size");
  const auto cells = printed == nullptr ? std::vector<std::string_view>() : words(printed->value);
  if (cells.size() != 2) return std::nullopt;
  const auto size = printed_number(cells[0]);
  const double unit = stream_bytes_of(lower(std::string(cells[1])) + "_s");
  if (!size || size->low <= 0 || unit <= 0) return std::nullopt;
  return PrintedNumber{size->value * unit, size->low * unit, size->high * unit};
}

/// Arrays that a kernel reads and writes.
double arrays_of(std::string_view kernel) {
  if (kernel == "nstream") return 4;
  return kernel == "add" || kernel == "triad" ? 3 : 2;
}

/// A row's best time as printed, where the row has times.
std::optional<PrintedNumber> best_time(const Fact& fact) {
  const auto cells = words(fact.value);  // rate average min max
  if (!fact.name.starts_with("row ") || cells.size() != 4) return std::nullopt;
  return printed_number(cells[2]);
}

/// The first row whose best time is 0 within the digits printed, so that any rate fits it; null: none.
const Fact* row_without_time(const ParsedResult& result) {
  for (const Fact& fact : result.facts)
    if (const auto time = best_time(fact); time && time->low <= 0) return &fact;
  return nullptr;
}

Finding stream_no_time(const Fact& row) {
  return unknown(fmt::format("the best time of {} is printed as {}: no rate follows from it",
                             std::string_view(row.name).substr(4), words(row.value)[2]),
                 row.value, row.line);
}

Finding validated(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* fact = result.fact("validation_failed"))
    return failed(fact->value, fact->line, "the arrays don't hold what they must");
  const bool sized = whole_parameter(result.parameters, "elements") &&
                     whole_parameter(result.parameters, "bytes_per_element");
  if (const Fact* fact = result.fact("validation"); fact != nullptr && !sized)
    return unknown("the report does not print the size of the arrays: its head is missing", fact->value,
                   fact->line);
  if (const Fact* fact = result.fact("validation")) {
    const Fact* row = row_without_time(result);
    return row == nullptr ? passed(fact->value, fact->line) : stream_no_time(*row);
  }
  if (result.implementation == "stream" || result.implementation == "reference" ||
      result.implementation == "cuda")
    return unknown(result.reason.empty() ? "the report has no validation" : result.reason);
  return unknown(fmt::format("{} prints nothing where its check passes, or has none", result.implementation));
}

Finding stream_rate_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto array = array_bytes(result);
  const Fact* unit = result.fact("unit");
  if (!array || unit == nullptr) return unknown("the report does not print the size of the arrays");
  const double factor = stream_bytes_of(unit->value);
  int checks = 0;
  int line = 0;
  for (const Fact& fact : result.facts) {
    const auto time = best_time(fact);
    if (!time) continue;
    const auto cells = words(fact.value);
    const auto rate = printed_number(cells[0]);
    if (!rate) continue;
    if (time->high <= 0)
      return failed(fact.value, fact.line,
                    "a best time below 0: the clock went backwards, or nothing was timed");
    const double arrays = arrays_of(std::string_view(fact.name).substr(4));
    const double bytes = arrays * array->value;
    const double low = arrays * array->low / time->high / factor;
    const double high =
        time->low > 0 ? arrays * array->high / time->low / factor : std::numeric_limits<double>::infinity();
    if (!overlap(rate->low, rate->high, low, high))
      return failed(fmt::format("{}; {} bytes in {} s give {}", cells[0], number(bytes, 12), cells[2],
                                time->low > 0 ? fmt::format("{} to {}", number(low, 7), number(high, 7))
                                              : fmt::format("at least {}", number(low, 7))),
                    fact.line,
                    fmt::format("the rate of {} does not follow from its best time",
                                std::string_view(fact.name).substr(4)));
    ++checks;
    line = fact.line;
  }
  if (const Fact* row = row_without_time(result)) return stream_no_time(*row);
  if (checks == 0) return unknown("the report prints no times");
  return passed(fmt::format("{} rates", checks), line);
}

Finding order_of_times(const Evidence& evidence) {
  bool any = false;
  int line = 0;
  for (const Fact& fact : evidence.result->facts) {
    const auto cells = words(fact.value);
    if (!fact.name.starts_with("row ") || cells.size() != 4) continue;
    const auto average = printed_number(cells[1]);
    const auto least = printed_number(cells[2]);
    const auto largest = printed_number(cells[3]);
    if (!average || !least || !largest) continue;
    if (least->low > average->high || average->low > largest->high)
      return failed(fact.value, fact.line, "the average time is not between the least and the largest");
    any = true;
    line = fact.line;
  }
  return any ? passed("least <= average <= largest", line) : unknown("the report prints no times");
}

Finding stream_long_enough(const Evidence& evidence) {
  constexpr double least_ticks = 20;
  const Fact* ticks = evidence.result->fact("clock_ticks");
  if (ticks == nullptr) return not_applicable("only STREAM's own programs measure their clock");
  const auto value = finite_number(ticks->value);
  if (!value) return unknown("the clock ticks can't be read", ticks->value, ticks->line);
  return checked(*value >= least_ticks, fmt::format("{} clock ticks", ticks->value), ticks->line,
                 "a test takes fewer than 20 clock ticks: the arrays are too small to be timed");
}

Finding share_of_peak(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (result.implementation != "superbench") return not_applicable("no share of a peak is printed");
  const Fact* printed = result.fact("peak");
  if (printed == nullptr) return unknown("the log has no peak of the device");
  const auto peak = printed_number(printed->value);
  if (!peak || peak->low <= 0) return unknown("the peak can't be read", printed->value, printed->line);
  for (const Fact& fact : result.facts) {
    const auto cells = words(fact.value);
    if (!fact.name.starts_with("row ") || cells.size() != 2) continue;
    const auto rate = printed_number(cells[0]);
    const auto percent = printed_number(cells[1]);
    if (!rate || !percent) continue;
    if (!overlap(percent->low, percent->high, 100 * rate->low / peak->high, 100 * rate->high / peak->low))
      return failed(fmt::format("{} % of {} GB/s; {} is {} %", cells[1], printed->value, cells[0],
                                number(100 * rate->value / peak->value, 5)),
                    fact.line, "the share of the peak does not follow from the rate");
  }
  return passed(fmt::format("of {} GB/s", printed->value), printed->line);
}

constexpr const char* from_caches =
    "the arrays are so short that caches hold part of them: it is no rate of the memory";

/// Whether another program's arrays lie in a GPU's memory: BabelStream says which language it is written in,
/// and most of them run on CPUs, too.
bool in_gpu_memory(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (result.implementation == "nvidia" || result.implementation == "superbench") return true;
  if (result.implementation != "babelstream") return false;
  const Value* model = find_parameter(result.parameters, "model");
  const std::string name = model == nullptr ? "" : value_text(*model);
  if (name == "CUDA" || name == "HIP") return true;
  const NodeGroup* group = group_of_case(evidence);
  return name != "OpenMP" && group != nullptr && !group->gpus.empty();
}

/// No log of these programs prints the GPU's cache: the smallest and the largest that GPUs for data centres
/// have bound it.
Finding larger_than_gpu_cache(const Evidence& evidence) {
  if (!in_gpu_memory(evidence)) return not_applicable("its arrays are not known to lie in a GPU's memory");
  constexpr double smallest = 6 * 0x1p20;   // V100, L2: 6144 KB
  constexpr double largest = 256 * 0x1p20;  // MI300X, Infinity Cache
  const auto buffer = whole_parameter(evidence.result->parameters, "buffer_bytes");
  const auto array = array_bytes(*evidence.result);
  if (!buffer && !array) return unknown("the report does not print the size of the arrays");
  const double low = buffer ? static_cast<double>(*buffer) : array->low;
  const double high = buffer ? static_cast<double>(*buffer) : array->high;
  const std::string value = fmt::format("{} an array", bytes_text(low));
  if (high < least_times_caches * smallest) return failed(value, 0, from_caches);
  if (low >= least_times_caches * largest) return passed(value);
  return unknown("the cache of the GPU is not known, and some have 256 MiB", value);
}

/// STREAM's demand on the length of its arrays: shorter ones measure caches.
Finding larger_than_caches(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (in_gpu_memory(evidence)) return not_applicable("its arrays lie in a GPU's memory: STREAM-06b");
  const auto whole = array_bytes(result);
  if (!whole) return unknown("the report does not print the size of the arrays");
  if (result.implementation == "cuda") {
    const auto gpus = whole_parameter(result.parameters, "gpus");
    const auto l2 = whole_parameter(result.parameters, "l2_bytes");
    if (!gpus || *gpus < 1 || !l2 || *l2 < 1)
      return unknown("the report does not print the GPUs and their L2 caches");
    const double array = whole->value / static_cast<double>(*gpus);
    const double cache = static_cast<double>(*l2);
    return checked(array >= least_times_caches * cache,
                   fmt::format("{} an array of a GPU, {} times its {} of L2 cache", bytes_text(array),
                               number(array / cache, 3), bytes_text(cache)),
                   0, from_caches);
  }
  const NodeGroup* group = group_of_case(evidence);
  if (group == nullptr || evidence.planned == nullptr || evidence.planned->nodes < 1)
    return unknown("neither a plan nor an inventory gives the caches of the nodes that ran");
  const auto caches = static_cast<double>(last_level_cache_bytes(*group)) * evidence.planned->nodes;
  if (!(caches > 0)) return unknown("the inventory does not give the caches");
  const double bytes = whole->value;
  return checked(bytes >= least_times_caches * caches,
                 fmt::format("{} an array, {} times the {} of last-level caches", bytes_text(bytes),
                             number(bytes / caches, 3), bytes_text(caches)),
                 0, from_caches);
}

constexpr std::array stream_table = {
    Rule{"STREAM-01", Severity::validity, "STREAM's result check passed", "STREAM 5.10, checkSTREAMresults",
         validated},
    Rule{"STREAM-02", Severity::validity, "A rate is the bytes of its arrays over its best time",
         "STREAM 5.10, stream.c", stream_rate_identity},
    Rule{"STREAM-03", Severity::validity, "The average time lies between the least and the largest",
         "STREAM 5.10, stream.c", order_of_times},
    Rule{"STREAM-04", Severity::warning, "A test takes at least 20 clock ticks", "STREAM 5.10, stream.c",
         stream_long_enough},
    Rule{"STREAM-05", Severity::validity, "The share of the peak follows from the rate",
         "SuperBench, gpu-stream", share_of_peak},
    Rule{"STREAM-06", Severity::validity,
         "Each array is at least four times as large as all last-level caches in use",
         "STREAM 5.10, stream.c, instruction (a)", larger_than_caches},
    Rule{"STREAM-06b", Severity::validity, "Each array in a GPU's memory is at least four times its cache",
         "STREAM 5.10, stream.c, instruction (a); NVIDIA Tesla V100 GPU Architecture; ROCm, AMD GPU "
         "specifications",
         larger_than_gpu_cache},
};

std::vector<RuleResult> judge_stream(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(stream_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook stream;
const RuleBook stream = {.suite = "stream", .own_check = "STREAM-01", .judge = judge_stream};

}  // namespace shakedown::rules
