#include <fmt/format.h>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl_mxp/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_hpl_mxp(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied({hpl_mxp_numerics_rules(), hpl_mxp_identity_rules(), hpl_mxp_conduct_rules()}, evidence,
                 std::move(room));
}

constexpr std::array<std::string_view, 2> hpl_mxp_of_list = {"MXP-01", "MXP-03"};

}  // namespace

extern const RuleBook hpl_mxp;
const RuleBook hpl_mxp = {
    .suite = "hpl-mxp", .own_check = "MXP-01", .judge = judge_hpl_mxp, .of_list = hpl_mxp_of_list};

}  // namespace shakedown::rules

namespace shakedown {
namespace {

int hpl_mxp_line_of(const Evidence& evidence) {
  const Metric* rate = evidence.result->metric("rmax_gflops");
  return rate == nullptr ? 0 : rate->line;
}

Finding iterations(const Evidence& evidence) {
  constexpr std::int64_t most = 50;  // the reference's default
  const Fact* fact = evidence.result->fact("iterations");
  if (fact == nullptr || evidence.result->metric("rmax_gflops") == nullptr)
    return unknown("the log does not show all of the refinement's iterations");
  const auto count = parsed_integer(fact->value);
  if (!count) return unknown("the number of iterations can't be read", fact->value, fact->line);
  return checked(*count >= 1 && *count <= most, fact->value, fact->line,
                 *count < 1 ? "no refinement step was needed: the factorisation was not of lower precision"
                            : "the refinement took more than 50 iterations");
}

Finding mostly_factorisation(const Evidence& evidence) {
  constexpr double least = 0.3;
  const Metric* factorisation = evidence.result->metric("lu_time_s");
  const Metric* refinement = evidence.result->metric("refinement_time_s");
  const Metric* whole = evidence.result->metric("time_s");
  if ((factorisation == nullptr && refinement == nullptr) || whole == nullptr || !(whole->value > 0))
    return unknown("the log does not print the time of the parts and the whole");
  const double share =
      factorisation != nullptr ? factorisation->value / whole->value : 1 - refinement->value / whole->value;
  return checked(share >= least, percent_text(share), whole->line,
                 "the refinement takes most of the time: the run is badly tuned");
}

Finding hpl_mxp_grid_is_ranks(const Evidence& evidence) {
  const auto P = whole_parameter(evidence.result->parameters, "P");
  const auto Q = whole_parameter(evidence.result->parameters, "Q");
  if (!P || !Q) return unknown("the log does not print P and Q");
  const Fact* said = evidence.result->fact("ranks");
  std::optional<std::int64_t> ranks = said == nullptr ? std::nullopt : positive_integer(said->value);
  if (!ranks && evidence.planned != nullptr) ranks = evidence.planned->ranks;
  const std::string grid = fmt::format("{} x {}", *P, *Q);
  if (!ranks) return unknown("the log does not print the number of ranks", grid, hpl_mxp_line_of(evidence));
  return checked(*P * *Q == *ranks, fmt::format("{} = {}, {} ranks", grid, *P * *Q, *ranks),
                 hpl_mxp_line_of(evidence), "the process grid does not use the ranks that were started");
}

Finding hpl_mxp_as_planned(const Evidence& evidence) {
  if (evidence.planned == nullptr) return unknown("there is no plan to compare with");
  std::string differs;
  std::string same;
  for (const char* name : {"N", "NB", "P", "Q", "precision"}) {
    const Value* planned = find_parameter(evidence.planned->parameters, name);
    const Value* run = find_parameter(evidence.result->parameters, name);
    if (planned == nullptr || run == nullptr) continue;  // no build prints all of them
    if (lower(value_text(*run)) != lower(value_text(*planned)))
      differs += fmt::format("{}{} = {}, planned {}", differs.empty() ? "" : "; ", name, value_text(*run),
                             value_text(*planned));
    same += fmt::format("{}{} = {}", same.empty() ? "" : ", ", name, value_text(*run));
  }
  if (same.empty()) return unknown("the log prints none of what was planned");
  return checked(differs.empty(), differs.empty() ? same : differs, hpl_mxp_line_of(evidence),
                 "the run is not the one that was planned");
}

Finding hpl_mxp_was_announced(const Evidence& evidence) {
  const Fact* echoed = evidence.result->fact("echoed");
  if (echoed == nullptr) return unknown("the log does not list the parameters that the run used");
  return checked(echoed->value == "yes", echoed->value, echoed->line,
                 "the result is not of the sizes that the run announced");
}

Finding hpl_mxp_whole_blocks(const Evidence& evidence) {
  const auto N = whole_parameter(evidence.result->parameters, "N");
  const auto NB = whole_parameter(evidence.result->parameters, "NB");
  if (!N || !NB) return unknown("the log does not print N and NB");
  return checked(*N % *NB == 0, fmt::format("N = {}, NB = {}", *N, *NB), hpl_mxp_line_of(evidence),
                 "N is not a multiple of NB: the last block is smaller");
}

Finding hpl_mxp_fits_memory(const Evidence& evidence) {
  std::string fits;
  for (const char* kind : {"host", "device"}) {
    const Fact* needed = evidence.result->fact(fmt::format("{}_memory_needed_gb", kind));
    const Fact* available = evidence.result->fact(fmt::format("{}_memory_available_gb", kind));
    const auto need = needed == nullptr ? std::nullopt : finite_number(needed->value);
    const auto have = available == nullptr ? std::nullopt : finite_number(available->value);
    if (!need || !have) continue;
    const std::string value = fmt::format("{} GB of {} GB {} memory", needed->value, available->value, kind);
    if (*need > *have) return failed(value, needed->line, "a process needs more memory than there is");
    fits += (fits.empty() ? "" : ", ") + value;
  }
  if (fits.empty()) return unknown("the log does not print what a process needs");
  return passed(fits);
}

constexpr std::array hpl_mxp_conduct_table = {
    Rule{"MXP-06", Severity::warning, "The refinement takes 1 to 50 iterations", "hpl-ai, hpl-ai.c",
         iterations},
    Rule{"MXP-06b", Severity::warning, "The factorisation takes at least 30 % of the time",
         "HPL-MxP, rules: the work counted is the factorisation's", mostly_factorisation},
    Rule{"MXP-06c", Severity::validity, "P x Q is the number of ranks", "netlib HPL FAQ",
         hpl_mxp_grid_is_ranks},
    Rule{"MXP-06d", Severity::validity, "N, NB, P, Q and precision are those of the plan", "the plan",
         hpl_mxp_as_planned},
    Rule{"MXP-06e", Severity::warning, "The result is of the sizes that the run announced",
         "rocHPL-MxP, hplmxp_pinfo.cpp; NVIDIA HPC Benchmarks, HPL-MxP", hpl_mxp_was_announced},
    Rule{"MXP-06f", Severity::warning, "N is a multiple of NB", "netlib HPL FAQ", hpl_mxp_whole_blocks},
    Rule{"MXP-06g", Severity::warning, "Each process's memory is there", "NVIDIA HPC Benchmarks, HPL-MxP",
         hpl_mxp_fits_memory},
};

}  // namespace

std::span<const Rule> hpl_mxp_conduct_rules() {
  return hpl_mxp_conduct_table;
}

}  // namespace shakedown
