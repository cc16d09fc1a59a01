#include "reports/measure/efficiency.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/metric_units.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// The denominator of an efficiency, in GFLOP/s or GB/s.
struct Peak {
  double value = 0;
  std::string basis;    ///< "of 111.2 GFLOP/s measured GEMM"
  std::string missing;  ///< why there is none
  /// The cases that measured it; empty: none did.
  std::vector<std::string> screens{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
  std::string
      doubt{};  // NOLINT(readability-redundant-member-init): why it may be too large; empty: it is not
  std::string remedy{};  // NOLINT(readability-redundant-member-init): what gives a missing one; empty: none
};

constexpr const char* nodes_not_known = "the number of nodes is not in the log";
constexpr const char* gpus_not_known = "the number of GPUs is not in the log";

Peak none(std::string why) {
  return {0, "", std::move(why)};
}

/// A rate in the unit that efficiencies are taken in: what is printed in MB/s in GB/s.
double common_rate(std::string_view metric, double value) {
  const auto kind = metric_kind(metric);
  return kind && kind->unit == "MB/s" ? value / 1000 : value;
}

/// The precision of a case's arithmetic in lower case; empty: not known.
std::string precision_of(const MeasuredCampaign& campaign, const MeasuredCase& record,
                         const Comparability& comparability) {
  if (const SuiteFacts* facts = suite_facts(record.planned.suite);
      facts != nullptr && !facts->precision.empty())
    return std::string(facts->precision);
  const auto stated = condition_of("precision", campaign, record, comparability);
  return stated ? lower(value_text(*stated)) : "";
}

/// The metric of a screen that a case refers to, and what it is called: "fp32_gflops", "FP32 ".
struct ScreenRate {
  std::string metric;
  std::string precision;  ///< empty: the screen has one, or it is FP64, which needs no word
  std::string missing;    ///< why there is none
};

ScreenRate screen_rate(const Yardstick& yardstick, const MeasuredCampaign& campaign,
                       const MeasuredCase& record, const Comparability& comparability) {
  const size_t star = yardstick.metric.find('*');
  if (star == std::string_view::npos) return {std::string(yardstick.metric), "", ""};
  const std::string precision = precision_of(campaign, record, comparability);
  if (precision.empty()) return {"", "", "no reference: the precision of its arithmetic is not known"};
  return {std::string(yardstick.metric).replace(star, 1, precision),
          precision == "fp64" ? "" : upper(precision) + " ", ""};
}

/// A usable rate of a screen, per node.
struct ScreenPoint {
  const MeasuredCase* record = nullptr;
  const AttemptRecord* attempt = nullptr;
  double per_node = 0;
};

/// What the screens measured of the devices that a case ran on.
struct ScreenPoints {
  std::vector<ScreenPoint> points;
  std::vector<std::string> screens;  ///< their cases
  bool other_device = false;         ///< one was measured on other devices
};

ScreenPoints screen_points(const SuiteFacts& screen, std::string_view metric,
                           const MeasuredCampaign& campaign, bool on_gpus,
                           const Comparability& comparability) {
  ScreenPoints found;
  for (const MeasuredCase& each : campaign.cases) {
    if (each.planned.suite != screen.id || each.planned.nodes < 1 || each.planned.confirms) continue;
    if (computed_on_gpus(each.planned, comparability) != on_gpus) {
      found.other_device = true;
      continue;
    }
    for (const CountedResult& counted : each.counted)
      if (const Metric* rate = counted.result->parsed.metric(metric);
          rate != nullptr && usable(*counted.result))
        found.points.push_back(
            {&each, counted.attempt, common_rate(metric, rate->value) / each.planned.nodes});
    found.screens.push_back(each.planned.id);
  }
  return found;
}

/// The median of all usable rates of a screen per node, times the nodes of the case.
Peak measured_by(const SuiteFacts& screen, const Yardstick& yardstick, const MeasuredCampaign& campaign,
                 const MeasuredCase& record, const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_known);
  const ScreenRate wanted = screen_rate(yardstick, campaign, record, comparability);
  if (!wanted.missing.empty()) return none(wanted.missing);
  if (!campaign.machines.empty())
    return none("no reference: the logs are of several machines, imported under one name");
  const bool on_gpus = computed_on_gpus(record.planned, comparability);
  ScreenPoints found = screen_points(screen, wanted.metric, campaign, on_gpus, comparability);
  std::vector<double> per_node;
  for (const ScreenPoint& point : found.points)
    if (point.attempt->set_aside.empty()) per_node.push_back(point.per_node);
  if (!per_node.empty() && median(per_node) > 0) {
    const double rate = median(per_node) * record.planned.nodes;
    const auto kind = metric_kind(wanted.metric);
    const bool flops = kind && kind->unit == "GFLOP/s";
    return {rate,
            fmt::format("of {} measured {}{}", flops ? flops_text(rate) : number(rate, 3) + " GB/s",
                        wanted.precision, yardstick.name),
            "", std::move(found.screens)};
  }
  if (found.other_device)
    return none(fmt::format("no reference: {} was measured on other devices than those that ran the case",
                            screen.title));
  return none(
      fmt::format("no reference: {}{} was not measured in this campaign", wanted.precision, screen.title));
}

/// A virtual machine has the cores that its hypervisor states, and that one commonly states a hardware thread
/// as a core: two of them then share the units that the peak counts twice (Intel's, AMD's and Arm's server
/// processors have two threads a core at most).
constexpr double threads_that_may_share = 2;

std::string doubt_of_cores(const NodeGroup& group) {
  if (group.software.virtualisation.empty() || group.cpu.threads_per_core > 1) return "";
  return fmt::format(
      "a core of the virtual machine ({}) may be one hardware thread, so that the true peak is lower",
      group.software.virtualisation);
}

/// What the inventory states of `used` of the GPUs of such nodes, in all; 0 where it does not of every one.
double gpu_sum(const NodeGroup& group, int used, std::optional<double> (*stated)(const GpuPeak&)) {
  if (group.gpus.empty()) return 0;
  double sum = 0;
  for (const Gpu& gpu : group.gpus) {
    const auto each = stated(gpu.peak);
    if (!each) return 0;
    sum += *each;
  }
  return sum / static_cast<double>(group.gpus.size()) * used;
}

/// Of programs whose rate is FP64 alone: what a faster format adds to a rate has another peak.
Peak gpu_theoretical_peak(const MeasuredCampaign& campaign, const MeasuredCase& record,
                          const Comparability& comparability) {
  if (precision_of(campaign, record, comparability) != "fp64")
    return none("no peak to compare with: the rate is not one of FP64 arithmetic");
  if (const auto mode = condition_of("fp64_mode", campaign, record, comparability);
      mode && value_text(*mode) == "emulated")
    return none(
        "no peak to compare with: the FP64 arithmetic is emulated, and the peak is that of native FP64");
  const NodeGroup* group = node_group(campaign.record.inventory, record.planned);
  if (record.planned.nodes < 1) return none(nodes_not_known);
  const int used = gpus_used(record.planned, comparability);
  if (used < 1) return none(gpus_not_known);
  const double tflops = group == nullptr ? 0 : gpu_sum(*group, used, [](const GpuPeak& peak) {
    return peak.fp64_tensor_tflops ? peak.fp64_tensor_tflops : peak.fp64_vector_tflops;
  });
  if (!(tflops > 0)) return none("no peak to compare with: the inventory does not give the GPUs' FP64 peak");
  const double gflops = tflops * 1000;
  return {gflops, fmt::format("of {} that the vendor states of the GPUs at boost clock", flops_text(gflops)),
          ""};
}

Peak theoretical_peak(const MeasuredCampaign& campaign, const MeasuredCase& record,
                      const Comparability& comparability) {
  if (computed_on_gpus(record.planned, comparability))
    return gpu_theoretical_peak(campaign, record, comparability);
  const NodeGroup* group = node_group(campaign.record.inventory, record.planned);
  if (record.planned.nodes < 1) return none(nodes_not_known);
  if (group == nullptr) return none("no peak to compare with: the inventory does not hold the case's nodes");
  const double gflops = cpu_peak_gflops(*group) * record.planned.nodes;
  if (gflops > 0 && !states_base_clock(*group)) {
    Peak peak = none(fmt::format(
        "no peak to compare with: the base clock, {:.0f} MHz, is assumed, not stated", group->cpu.base_mhz));
    peak.remedy =
        "to state the clock: `shakedown inventory discover -o machine.toml`; in that file write the data "
        "sheet's value under [groups.cpu], for example `base_mhz = 2450`, and take \"cpu.base_mhz\" out of "
        "`assumed`; then `shakedown run --inventory machine.toml`";
    return peak;
  }
  if (gflops > 0)
    return {gflops,
            fmt::format("of {}, the peak at the base clock{}", flops_text(gflops),
                        group->cpu.base_mhz_source == time_stamp_counter
                            ? fmt::format(" by the {}", time_stamp_counter)
                            : ""),
            "",
            {},
            doubt_of_cores(*group)};
  return none(fmt::format("no peak to compare with: {} ({})",
                          group->cpu.base_mhz > 0 ? "processor model not identified" : "base clock not known",
                          group->cpu.model));
}

/// The theoretical bandwidth that the inventory states of the nodes' memory.
Peak memory_peak(const MeasuredCampaign& campaign, const MeasuredCase& record,
                 const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_known);
  const NodeGroup* group = node_group(campaign.record.inventory, record.planned);
  if (group == nullptr) return none("no peak to compare with: the inventory does not hold the case's nodes");
  if (computed_on_gpus(record.planned, comparability)) {
    const int used = gpus_used(record.planned, comparability);
    if (used < 1) return none(gpus_not_known);
    const double of_gpus =
        gpu_sum(*group, used, [](const GpuPeak& peak) { return peak.memory_bandwidth_gb_s; });
    if (!(of_gpus > 0))
      return none("no peak to compare with: the inventory does not give the bandwidth of the GPUs' memory");
    return {of_gpus, fmt::format("of {} GB/s that the vendor states of the GPUs' memory", number(of_gpus, 3)),
            ""};
  }
  const double peak = group->memory_bandwidth_gb_s.value_or(0) * record.planned.nodes;
  if (!(peak > 0)) {
    Peak unknown = none("no peak to compare with: the memory channels are not known");
    unknown.remedy =
        "to state them: `shakedown inventory discover -o machine.toml`; in that file write the theoretical "
        "rate of a node (channels x MT/s x 8 bytes) under its [[groups]], for example "
        "`memory_bandwidth_gb_s = 614.4`; then `shakedown run --inventory machine.toml`";
    return unknown;
  }
  return {peak, fmt::format("of {} GB/s, the memory channels' theoretical rate", number(peak, 3)), ""};
}

using Denominator = Peak (*)(const MeasuredCampaign&, const MeasuredCase&, const Comparability&);
/// The efficiencies whose denominator is in the inventory; screens measure those of the others.
constexpr std::array<std::pair<std::string_view, Denominator>, 2> denominators = {
    {{"efficiency_rpeak", theoretical_peak}, {"efficiency_memory", memory_peak}}};

std::optional<Peak> peak_of(std::string_view metric, const MeasuredCampaign& campaign,
                            const MeasuredCase& record, const Comparability& comparability) {
  for (const auto& [name, denominator] : denominators)
    if (name == metric) return denominator(campaign, record, comparability);
  const SuiteFacts* screen = screen_of(metric);
  if (screen == nullptr || !screen->yardstick) return std::nullopt;
  return measured_by(*screen, *screen->yardstick, campaign, record, comparability);
}

}  // namespace

bool is_efficiency(std::string_view metric) {
  return metric.starts_with("efficiency_");
}

std::string_view efficiency_numerator(std::string_view name, std::string_view suite) {
  const EfficiencyFact* fact = efficiency_fact(suite, name);
  return fact == nullptr ? std::string_view() : fact->numerator;
}

std::string impossible_ratio(std::string_view metric, std::string_view suite, double ratio) {
  const SuiteFacts* screen = screen_of(metric);
  if (screen == nullptr || !screen->yardstick) return "";
  const Yardstick& yardstick = *screen->yardstick;
  if (yardstick.most <= 0 || ratio <= yardstick.most) return "";
  return fmt::format(fmt::runtime(yardstick.why_most), fmt::arg("suite", suite_title(suite)),
                     fmt::arg("ratio", number(ratio, 2)));
}

std::string_view caution_above_one(std::string_view metric, std::string_view suite, double ratio) {
  const EfficiencyFact* fact = ratio > 1 ? efficiency_fact(suite, metric) : nullptr;
  return fact == nullptr || fact->void_by.empty() ? std::string_view() : fact->above_one;
}

namespace {

/// Why a result has no efficiency that large, though it is possible: the rule that would prove it was not
/// checked; empty: it has.
std::string why_unproven(const EfficiencyFact& fact, const ResultRecord& result, std::string_view suite,
                         double ratio) {
  if (fact.unproven_above_one.empty() || ratio <= 1 || !impossible_ratio(fact.metric, suite, ratio).empty())
    return "";
  const auto rule = std::ranges::find(result.rules, fact.void_by, &RuleResult::id);
  if (rule != result.rules.end() && rule->status == RuleStatus::pass) return "";
  const SuiteFacts* screen = screen_of(fact.metric);
  return fmt::format("{} times {}: {}", number(ratio, 2), screen == nullptr ? "its reference" : screen->title,
                     fact.unproven_above_one);
}

/// Why a result has no such efficiency: the rule that makes it void; empty: it has.
std::string why_void(const EfficiencyFact& fact, const ResultRecord& result) {
  for (const RuleResult& rule : result.rules)
    if (!fact.void_by.empty() && rule.id == fact.void_by && rule.status == RuleStatus::fail)
      return fmt::format("{} ({})", rule.text, rule.value);
  return "";
}

/// The screens that one case refutes by one of its efficiencies.
void add_refuted(const EfficiencyFact& fact, const MeasuredCampaign& campaign, const MeasuredCase& record,
                 const Comparability& comparability, std::vector<RefutedScreen>& refuted) {
  const SuiteFacts* screen = screen_of(fact.metric);
  if (screen == nullptr || !screen->yardstick || screen->id == record.planned.suite) return;
  const Yardstick& yardstick = *screen->yardstick;
  if (yardstick.most <= 0) return;
  double fastest = 0;
  for (const CountedResult& counted : record.counted)
    if (const Metric* rate = counted.result->parsed.metric(fact.numerator);
        rate != nullptr && usable(*counted.result) && why_void(fact, *counted.result).empty())
      fastest = std::max(fastest, common_rate(fact.numerator, rate->value) / record.planned.nodes);
  const ScreenRate wanted = screen_rate(yardstick, campaign, record, comparability);
  if (!(fastest > 0) || !wanted.missing.empty()) return;
  auto points = screen_points(*screen, wanted.metric, campaign,
                              computed_on_gpus(record.planned, comparability), comparability)
                    .points;
  std::erase_if(points, [&](const ScreenPoint& point) {  // a fast node says nothing of another
    const Case& other = point.record->planned;
    return record.planned.bound && other.bound && record.planned.hosts != other.hosts;
  });
  std::vector<double> firsts;  // whatever is measured again later does not change them
  const MeasuredCase* last = nullptr;
  for (const ScreenPoint& point : points)
    if (point.attempt->set_aside.empty() && std::exchange(last, point.record) != point.record)
      firsts.push_back(point.per_node);
  if (firsts.empty()) return;
  const double most = yardstick.most;
  if (fastest <= most * median(firsts)) return;
  for (const ScreenPoint& point : points)
    if (point.attempt->set_aside.empty() && fastest > most * point.per_node)
      refuted.push_back({point.record->planned.id, point.attempt->index, record.planned.id,
                         impossible_ratio(fact.metric, record.planned.suite, fastest / point.per_node)});
}

/// Whether a valid result on nodes like a case's is above its theoretical peak: then that is none too large.
bool is_exceeded(const Peak& peak, const MeasuredCampaign& campaign, const MeasuredCase& record,
                 std::string_view metric) {
  const NodeGroup* group = node_group(campaign.record.inventory, record.planned);
  for (const MeasuredCase& other : campaign.cases) {
    const EfficiencyFact* fact = efficiency_fact(other.planned.suite, metric);
    if (fact == nullptr || other.planned.nodes < 1 ||
        node_group(campaign.record.inventory, other.planned) != group)
      continue;
    for (const CountedResult& counted : other.counted)
      if (const Metric* rate = counted.result->parsed.metric(fact->numerator);
          rate != nullptr && usable(*counted.result) &&
          common_rate(fact->numerator, rate->value) * record.planned.nodes > peak.value * other.planned.nodes)
        return true;
  }
  return false;
}

}  // namespace

std::vector<RefutedScreen> refuted_screens(const MeasuredCampaign& campaign,
                                           const Comparability& comparability) {
  std::vector<RefutedScreen> refuted;
  if (!campaign.machines.empty() || is_external(campaign.record)) return refuted;
  for (const MeasuredCase& record : campaign.cases) {
    const SuiteFacts* facts = suite_facts(record.planned.suite);
    if (facts == nullptr || record.planned.nodes < 1) continue;
    for (const EfficiencyFact& fact : facts->efficiencies)
      add_refuted(fact, campaign, record, comparability, refuted);
  }
  return refuted;
}

Measurement efficiency(const MeasuredCampaign& campaign, const MeasuredCase& record, std::string_view metric,
                       const Comparability& comparability) {
  Measurement measurement;
  const auto peak = peak_of(metric, campaign, record, comparability);
  if (!peak) return measurement;
  measurement.missing = peak->missing;
  measurement.remedy = peak->remedy;
  measurement.basis = peak->basis;
  measurement.screens = peak->screens;
  if (!peak->doubt.empty() && !is_exceeded(*peak, campaign, record, metric)) {
    measurement.doubt = peak->doubt;
    measurement.doubtful = threads_that_may_share;
  }
  if (!peak->missing.empty()) return measurement;
  const EfficiencyFact* fact = efficiency_fact(record.planned.suite, metric);
  if (fact == nullptr) return measurement;
  for (const CountedResult& counted : record.own)
    if (measurement.withheld.empty()) measurement.withheld = why_void(*fact, *counted.result);
  if (!measurement.withheld.empty()) return measurement;
  const std::string_view numerator = fact->numerator;
  for (const CountedResult& counted : record.own)
    if (const Metric* rate = counted.result->parsed.metric(numerator)) {
      const double ratio = derived_value(common_rate(numerator, rate->value) / peak->value);
      if (measurement.unproven.empty())
        measurement.unproven = why_unproven(*fact, *counted.result, record.planned.suite, ratio);
      measurement.points.push_back(ratio);
      measurement.attempts.push_back(counted.attempt);
    }
  return measurement;
}

}  // namespace shakedown
