#include <array>
#include <optional>
#include <span>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "suites/io500/site.hpp"

namespace shakedown::io500 {
namespace {

// The phases that score, as IO500's calc_score takes them (IO500, src/main.c), by their metrics.
constexpr std::array<std::string_view, 4> scored_bandwidth = {"ior_easy_write_gib_s", "ior_easy_read_gib_s",
                                                              "ior_hard_write_gib_s", "ior_hard_read_gib_s"};
constexpr std::array<std::string_view, 8> scored_metadata = {
    "mdtest_easy_write_kiops",  "mdtest_easy_stat_kiops",
    "mdtest_easy_delete_kiops", "mdtest_hard_write_kiops",
    "mdtest_hard_stat_kiops",   "mdtest_hard_read_kiops",
    "mdtest_hard_delete_kiops", "find_kiops"};
constexpr std::array<std::string_view, 4> write_phases = {"ior_easy_write", "mdtest_easy_write",
                                                          "ior_hard_write", "mdtest_hard_write"};
constexpr double least_write_s = 300;  ///< io500.org, submission rules

/// The geometric mean of the phases; nothing where one is missing: a mean that skips phases is none.
std::optional<Interval> mean_of(const PublishedRun& run, std::span<const std::string_view> phases) {
  std::vector<Interval> values;
  for (const std::string_view phase : phases) {
    const BaselineValue* value = run.value(phase);
    if (value == nullptr) return std::nullopt;
    values.push_back(printed_interval(*value));
  }
  return geometric_mean(values);
}

/// Rate x time: what a phase moved, in GiB. 0 if a value is missing.
double volume(const PublishedRun& run, const std::string& phase) {
  const BaselineValue* rate = run.value(phase + "_gib_s");
  const BaselineValue* time = run.value(phase + "_time_s");
  return rate == nullptr || time == nullptr ? 0 : rate->value * time->value;
}

void volumes(const PublishedRun& run, const std::string& files, IdentityList& found) {
  const BaselineValue* read = run.value("ior_" + files + "_read_gib_s");
  const double written = volume(run, "ior_" + files + "_write");
  const double taken = volume(run, "ior_" + files + "_read");
  if (read == nullptr || written == 0 || taken == 0) return;
  constexpr double tolerance = 0.001;
  found.demand(*read, fmt::format("ior-{}: rate x time in GiB, reading = writing within 0.1 %", files),
               within(written, tolerance).holds(taken), taken, written);
  if (files == "hard")
    found.explain(
        "as it is where the rate is that of the transfers alone and the time that of the whole phase; this "
        "log "
        "does not show it");
}

/// Recomputes the identities of a published run of the suite.
void identities(const PublishedRun& run, const Baseline& /*baseline*/, IdentityList& found) {
  const BaselineValue* bandwidth = run.value("bandwidth_gib_s");
  const BaselineValue* iops = run.value("iops_kiops");
  const BaselineValue* score = run.value("score");
  const auto bandwidth_mean = mean_of(run, scored_bandwidth);
  const auto iops_mean = mean_of(run, scored_metadata);
  if (bandwidth != nullptr && bandwidth_mean)
    found.row(*bandwidth, "bandwidth = geometric mean of 4 IOR phases", *bandwidth_mean);
  if (iops != nullptr && iops_mean)
    found.row(*iops, "IOPS = geometric mean of 7 mdtest phases and find", *iops_mean);
  if (score != nullptr && bandwidth != nullptr && iops != nullptr)
    found.row(*score, "score = square root of bandwidth x IOPS",
              square_root(printed_interval(*bandwidth) * printed_interval(*iops)));
  for (const std::string_view phase : write_phases)
    if (const auto* time = run.value(std::string(phase) + "_time_s"))
      found.demand(*time, "a writing phase lasts at least 300 s", time->value >= least_write_s, time->value,
                   least_write_s);
  volumes(run, "easy", found);
  volumes(run, "hard", found);
}

}  // namespace
}  // namespace shakedown::io500

namespace shakedown::facts {

extern const SuiteFacts io500;

namespace {

constexpr MetricKind io500_score = {"", Better::higher};
/// Phases write for a set time, and read back whatever that was.
constexpr MetricKind io500_phase_time = {"s", std::nullopt};

constexpr std::array io500_headlines = {Headline{"score"}};
/// Writing is the storage's own doing, while reads may come from the client's memory.
constexpr std::array io500_short_headlines = {Headline{"ior_easy_write_gib_s"},
                                              Headline{"mdtest_easy_write_kiops"}};
constexpr std::array io500_metrics = {MetricFact{.key = "score", .kind = io500_score},
                                      MetricFact{.key = "extended_score", .kind = io500_score},
                                      MetricFact{.key = "iops_kiops", .title = "IOPS"},
                                      MetricFact{.key = "ior_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "mdtest_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "mdworkbench_*_time_s", .kind = io500_phase_time},
                                      MetricFact{.key = "find*_time_s", .kind = io500_phase_time}};
constexpr std::array<std::string_view, 2> io500_size = {"{procs} ranks", "stonewall {stonewall_s} s"};
constexpr std::array io500_resources = {Resource::network, Resource::storage};

}  // namespace

const SuiteFacts io500 = {
    .id = "io500",
    .title = "IO500",
    .own_title = "File system test (shakedown)",
    .about = "IO500: bandwidth and metadata of a file system, easy and hard",
    .rank = 40,
    .headlines = io500_headlines,
    .short_headlines = io500_short_headlines,
    .counts_arithmetic = false,
    .size = io500_size,
    .metrics = io500_metrics,
    .resources = io500_resources,
    .site = io500::site_table,
    .starting_site = io500::starting_site,
    .full_run_min = 60,
    .identities = io500::identities,
};

}  // namespace shakedown::facts
