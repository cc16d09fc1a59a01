#include "orchestrator/campaign/change_configuration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {
namespace {

/// A table of a TOML text as written, with the comment above it.
struct Block {
  std::string root;     ///< "site" of [site.io500]; empty: the keys above the first table
  bool begins = false;  ///< [[root]]: a new one of an array
  std::string text;
};

/// The name in a table's header; empty: the line is none.
std::string header_root(std::string_view line, bool& array) {
  line = trimmed(line);
  array = line.starts_with("[[");
  if (!line.starts_with('[')) return "";
  line.remove_prefix(array ? 2 : 1);
  const auto end = line.find_first_of(".] \t");
  array = array && end != std::string_view::npos && line.substr(end).starts_with("]]");
  return std::string(line.substr(0, end));
}

/// The text in pieces that make it up again. A header within a text of several lines would cut that; who uses
/// the pieces reads the result back.
std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks(1);
  std::string above;  // comments and empty lines, which belong to what follows
  for (const std::string_view line : split(text, '\n')) {
    bool array = false;
    const std::string root = header_root(line, array);
    if (!root.empty()) {
      blocks.push_back({root, array, std::move(above)});
      above.clear();
    } else if (trimmed(line).empty() || trimmed(line).starts_with('#')) {
      above += std::string(line) + "\n";
      continue;
    } else {
      blocks.back().text += above;
      above.clear();
    }
    blocks.back().text += std::string(line) + "\n";
  }
  return blocks;
}

std::string toml_value(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return toml_quoted(*text);
  std::string number = value_text(value);
  if (std::holds_alternative<double>(value) && number.find_first_of(".e") == std::string::npos)
    number += ".0";
  return number;
}

std::string run_text(const ProposedRun& proposed) {
  const AcceptanceRun& run = proposed.run;
  std::string text = fmt::format("# {}: {}.\n[[runs]]\nsuite = {}\n", proposed.hosts, proposed.because,
                                 toml_quoted(run.suite));
  if (!run.implementation.empty())
    text += fmt::format("implementation = {}\n", toml_quoted(run.implementation));
  if (!run.benchmark.empty()) text += fmt::format("benchmark = {}\n", toml_quoted(run.benchmark));
  if (run.each_node) text += "each_node = true\n";
  for (const int nodes : run.nodes) text += fmt::format("nodes = [{}]\n", nodes);
  if (!run.hosts.empty()) text += fmt::format("hosts = {}\n", toml_quoted(run.hosts));
  if (run.stage > 0) text += fmt::format("stage = {}\n", run.stage);
  if (run.repetitions > 1) text += fmt::format("repetitions = {}\n", run.repetitions);
  if (run.minutes > 0) text += fmt::format("minutes = {}\n", run.minutes);
  if (!run.pins.empty()) {
    text += "[runs.pins]\n";
    for (const Parameter& pin : run.pins) text += fmt::format("{} = {}\n", pin.name, toml_value(pin.value));
  }
  return text + "\n";
}

/// Sizes of a suite's cases in the reference, and those that are proposed.
struct Sizes {
  std::set<int> reference;
  std::set<int> proposed;
  bool alone = false;     ///< each node by itself is proposed
  bool together = false;  ///< a run on nodes that are not bound is
};

Sizes sizes_of(const CampaignRecord& reference, const ChangeProposal& proposal, const Criterion& criterion) {
  const auto meant = [&](const std::string& suite, const std::string& benchmark) {
    return suite == criterion.suite &&
           (criterion.benchmark.empty() || benchmark.empty() || benchmark == criterion.benchmark);
  };
  Sizes sizes;
  for (const CaseRecord& record : reference.cases)
    if (meant(record.planned.suite, record.planned.benchmark)) sizes.reference.insert(record.planned.nodes);
  for (const ProposedRun& each : proposal.runs) {
    if (!meant(each.run.suite, each.run.benchmark)) continue;
    (each.run.each_node ? sizes.alone : sizes.together) = true;
    if (each.run.each_node) sizes.proposed.insert(1);
    sizes.proposed.insert(each.run.nodes.begin(), each.run.nodes.end());
  }
  return sizes;
}

/// Whether a metric is a sum over the nodes, so that its limit belongs to a number of them.
bool is_total(const std::string& metric) {
  return metric != "validity" && metric != "reliability" && !metric.starts_with("efficiency_") &&
         !metric.ends_with("_per_gpu") && !metric.ends_with("_pct");
}

/// Why the proposed runs can't decide a criterion; empty: they can.
std::string undecidable(const Criterion& criterion, const CampaignRecord& reference,
                        const ChangeProposal& proposal) {
  if (criterion.suite == "campaign") return "";  // it is of whatever is run
  const Sizes sizes = sizes_of(reference, proposal, criterion);
  if (sizes.proposed.empty()) return fmt::format("no run of {} is proposed", criterion.suite);
  if (criterion.each_node == true && !sizes.alone) return "no run on each node is proposed";
  if (criterion.each_node == false && !sizes.together) return "only runs on each node are proposed";
  if (const auto& wanted = criterion.nodes_required; wanted && *wanted > *sizes.proposed.rbegin())
    return fmt::format("it needs {} nodes", *wanted);
  if (const auto& exactly = criterion.nodes)
    return sizes.proposed.contains(*exactly) ? "" : fmt::format("it is of cases on {} nodes", *exactly);
  if (is_total(criterion.metric) && criterion.each_node != true && sizes.proposed != sizes.reference)
    return "its limit belongs to sizes that are not all run again";
  return "";
}

/// The product that freezing wrote behind a limit's source: "0.95 x 49 GFLOP/s = 46.55 GFLOP/s (...)".
struct FrozenProduct {
  std::size_t at = 0;  ///< where it begins, "; " before it included
  double factor = 1;
};

/// The last one of this factor, but for what division and multiplication round.
std::optional<FrozenProduct> frozen_product(std::string_view source, double factor) {
  std::size_t end = std::string_view::npos;
  while (true) {
    const std::size_t separator = source.rfind("; ", end);
    const std::size_t begin = separator == std::string_view::npos ? 0 : separator + 2;
    const std::string_view rest = source.substr(begin);
    if (const std::size_t sign = rest.find(" x "); sign != std::string_view::npos)
      if (const auto stated = parsed_number(rest.substr(0, sign));
          stated && std::abs(*stated - factor) <= 1e-11 * std::abs(factor))
        return FrozenProduct{begin == 0 ? 0 : separator, *stated};
    if (begin == 0 || separator == 0) return std::nullopt;
    end = separator - 1;
  }
}

/// A criterion of the reference's frozen criteria as it was before it was frozen with an older reference:
/// what is accepted now gives its limit. `text`: as written.
std::string thawed(const Criterion& criterion, std::string_view text) {
  const bool relative =
      criterion.limit_of == ReferenceKind::last_accepted && criterion.limit && criterion.last_accepted;
  const auto key_of = [](std::string_view line) { return trimmed(line.substr(0, line.find('='))); };
  std::string kept;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view key = key_of(line);
    if (key == "last_accepted") continue;
    if (relative && (key == "limit" || key == "limit_of" || key == "limit_source")) continue;
    kept += std::string(line) + "\n";
  }
  if (!kept.empty()) kept.pop_back();  // split gives an empty piece behind the last newline
  if (!relative) return kept;
  // The factor as it was stated: the product was not rounded.
  double factor = *criterion.limit / criterion.last_accepted->value;
  std::string source = criterion.limit_source;
  if (const auto stated = frozen_product(source, factor)) {
    factor = stated->factor;
    source.erase(stated->at);
  }
  while (!kept.empty() && kept.ends_with("\n\n")) kept.pop_back();
  return kept + fmt::format("relative_to = \"last-accepted\"\nfactor = {}\n", factor) +
         (source.empty() ? "" : fmt::format("limit_source = {}\n", toml_quoted(source))) + "\n";
}

}  // namespace

Result<ChangeConfiguration> change_configuration(const CampaignRecord& reference,
                                                 const AcceptedCampaign& accepted,
                                                 const ChangeProposal& proposal, const std::string& system) {
  ChangeConfiguration written;
  std::string& text = written.text;
  text = fmt::format(
      "# What changed since {} was accepted by {} ({}), and the smallest campaign that covers it.\n",
      accepted.campaign, accepted.by, utc_text(accepted.at_s));
  for (const FoundChange& change : proposal.changes)
    text += fmt::format("#   {}{}\n", change.hosts.empty() ? "" : change.hosts + ": ", change.what);
  text += fmt::format("\ntitle = {}\n", toml_quoted(fmt::format("After changes of {}", reference.system)));
  if (!system.empty()) text += fmt::format("system = {}\n", toml_quoted(system));
  if (!reference.baseline_name.empty())
    text += fmt::format("baseline = {}\n", toml_quoted(reference.baseline_name));
  text += "\n";
  for (const Block& block : blocks_of(reference.config_text))
    if (block.root == "site" || block.root == "settings") text += block.text;
  for (const ProposedRun& run : proposal.runs) text += run_text(run);

  const CriteriaRevision criteria = judging_criteria(reference);
  std::size_t kept = 0;
  if (!criteria.text.empty()) {
    const auto read = read_criteria(criteria.text, criteria.name.empty() ? "criteria" : criteria.name);
    if (!read) return failure_of(read);
    std::size_t criterion = 0;
    bool wanted = false;
    const Criterion* current = nullptr;
    for (const Block& block : blocks_of(criteria.text)) {
      if (block.root == "disturbance") text += block.text;
      if (block.root != "criteria") continue;
      if (block.begins && criterion < read->criteria.size()) {
        const Criterion& each = read->criteria[criterion++];
        current = &each;
        const std::string why = undecidable(each, reference, proposal);
        wanted = why.empty();
        kept += wanted ? 1 : 0;
        for (const Waiver& waiver : read->waivers)
          if (wanted && waiver.is_of(each.id))
            written.not_asked.push_back(
                fmt::format("{}: its waiver until {} ({}) is not carried over: agree on it again",
                            waiver.criterion, waiver.expires, waiver.reason));
        if (!wanted) written.not_asked.push_back(fmt::format("{}: {}", each.id, why));
      }
      if (wanted && current != nullptr) text += block.begins ? thawed(*current, block.text) : block.text;
    }
  }
  const auto again = acceptance_from_toml(text, "the proposed configuration");
  if (!again) return failure_of(again);
  auto config = acceptance_from_toml(reference.config_text, reference.id);
  if (!config) return failure_of(config);
  config->site.launcher_place = again->site.launcher_place;  // another file and line
  bool same = again->site == config->site && again->settings == config->settings &&
              again->runs.size() == proposal.runs.size();
  if (kept > 0) {
    const auto judged = read_criteria(text, "the proposed configuration");
    if (!judged) return failure_of(judged);
    same = same && judged->criteria.size() == kept;
  }
  if (!same)
    return fail(reference.id, "its configuration can't be carried over: its tables could not be separated",
                "write the proposed runs into a copy of it by hand");
  return written;
}

}  // namespace shakedown
