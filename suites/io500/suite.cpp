#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "suites/io500/ini.hpp"
#include "suites/io500/rates.hpp"
#include "suites/io500/screen.hpp"
#include "suites/io500/site.hpp"
#include "suites/io500/sizes.hpp"

namespace shakedown::io500 {
namespace {

/// What a run writes: as predicted, or at most where nothing is.
struct Volume {
  double bytes = 0;
  double files = 0;
  bool at_most = false;  ///< the items' sum: nothing is predicted
};

constexpr std::array<std::string_view, 4> bandwidth_phases = {"ior_easy_write", "ior_hard_write",
                                                              "ior_easy_read", "ior_hard_read"};
constexpr std::array<std::string_view, 8> metadata_phases = {
    "mdtest_easy_write", "mdtest_hard_write", "find",
    "mdtest_easy_stat",  "mdtest_hard_stat",  "mdtest_easy_delete",
    "mdtest_hard_read",  "mdtest_hard_delete"};

double geometric_mean(const Rates& rates, std::span<const std::string_view> phases) {
  double logarithms = 0;
  for (const std::string_view phase : phases) logarithms += std::log(rates.rate(phase));
  return std::exp(logarithms / static_cast<double>(phases.size()));
}

/// What a write phase writes, in the unit of its rate: for as long as it lasts, but no more than its items.
double written(const Rates& rates, std::string_view phase, double items) {
  return std::min(items, rates.rate(phase) * rates.write_s(phase));
}

struct Written {
  double easy_gib = 0;
  double hard_gib = 0;
  double easy_kfiles = 0;
  double hard_kfiles = 0;
};

Written written(const Rates& rates, const Sizes& sizes) {
  return {written(rates, "ior_easy_write", sizes.easy_bytes() / gibi),
          written(rates, "ior_hard_write", sizes.hard_bytes() / gibi),
          written(rates, "mdtest_easy_write", sizes.easy_files() / 1000),
          written(rates, "mdtest_hard_write", sizes.hard_files() / 1000)};
}

/// The phases' sum: each works through what its write phase wrote.
double total_s(const Rates& rates, const Written& left) {
  const auto time = [&](std::string_view phase, double work) { return work / rates.rate(phase); };
  return time("ior_easy_write", left.easy_gib) + time("ior_easy_read", left.easy_gib) +
         time("ior_hard_write", left.hard_gib) + time("ior_hard_read", left.hard_gib) +
         time("mdtest_easy_write", left.easy_kfiles) + time("mdtest_easy_stat", left.easy_kfiles) +
         time("mdtest_easy_delete", left.easy_kfiles) + time("mdtest_hard_write", left.hard_kfiles) +
         time("mdtest_hard_stat", left.hard_kfiles) + time("mdtest_hard_read", left.hard_kfiles) +
         time("mdtest_hard_delete", left.hard_kfiles) + time("find", left.easy_kfiles + left.hard_kfiles);
}

/// With `decimals`; a negative number gives zeros before the point.
Prediction banded(std::string metric, double value, double band, int decimals) {
  const double unit = std::pow(10, std::abs(decimals));
  const auto round = [&](double exact) {
    return decimals < 0 ? std::round(exact / unit) * unit : std::round(exact * unit) / unit;
  };
  return {std::move(metric), round(value), round(value * (1 - band)), round(value * (1 + band))};
}

Volume volume(const Rates& rates, const Sizes& sizes) {
  if (!rates.predicts) return {sizes.bytes(), sizes.files(), true};
  const Written left = written(rates, sizes);
  const double hard_files = left.hard_kfiles * 1000;
  return {(left.easy_gib + left.hard_gib) * gibi + hard_files * static_cast<double>(hard_file),
          left.easy_kfiles * 1000 + hard_files, false};
}

/// What the largest part of the volume is bound by, for a run that nothing predicts.
std::string bound_text(const Sizes& sizes, const Rates& rates, const Target& target) {
  switch (sizes.easy_bound) {
    case Bound::pin:
      return "by its pinned sizes";
    case Bound::rate:
      return fmt::format("as fast as {} nodes, the nearest published number", rates.nodes);
    case Bound::links:
      return fmt::format("all that {} carry while its phases last", target.links_because);
    case Bound::space:
      return fmt::format("to fill {}", target.bytes_because);
    case Bound::usual_size:
      break;
  }
  return "by IO500's default sizes, more than any storage takes in the time";
}

/// "96 nodes write about 89.1 TB and make about 144 million files (at most 101 TB)"; "12500 nodes write at
/// most 16 607 TB, all that the links of 12500 clients carry while its phases last, and make at most 12 500
/// million files; how much is likely is not known: ..."
std::string volume_text(int nodes, const Sizes& sizes, const Rates& rates, const Target& target) {
  const Volume written = volume(rates, sizes);
  const auto terabytes = [](double bytes) { return grouped(bytes / 1e12, 3); };
  const std::string who = plural(nodes, "node") + (nodes == 1 ? " writes" : " write");
  const std::string_view makes = nodes == 1 ? "makes" : "make";
  if (!written.at_most)
    return fmt::format("{} about {} TB and {} about {} files (at most {} TB by the sizes)", who,
                       terabytes(written.bytes), makes, count_text(written.files, 3),
                       terabytes(sizes.bytes()));
  return fmt::format("{} at most {} TB, {}, and {} at most {} files; how much is likely is not known ({})",
                     who, terabytes(written.bytes), bound_text(sizes, rates, target), makes,
                     count_text(written.files, 3), rates.text);
}

/// `score`, `bandwidth_gib_s`, `iops_kiops`, `wall_time_s` and `bytes_written` with their bands; nothing
/// where the rates don't predict. The bandwidth score is the geometric mean of the 4 IOR phases' rates, the
/// other one of the 8 metadata phases', the score the root of their product. Source: IO500, src/main.c,
/// calc_score().
std::vector<Prediction> predictions(const Implementation& implementation, const Rates& rates,
                                    const Sizes& sizes) {
  if (!rates.predicts) return {};
  const double bandwidth = geometric_mean(rates, bandwidth_phases);
  const double operations = geometric_mean(rates, metadata_phases);
  const double easy = implementation.tuned("band_easy", 0.1);
  const double hard = implementation.tuned("band_hard", 0.15);
  const double metadata = implementation.tuned("band_metadata", 0.1);
  const double both = (easy + hard) / 2;  // two phases of each
  return {banded("score", std::sqrt(bandwidth * operations), (both + metadata) / 2, 2),
          banded("bandwidth_gib_s", bandwidth, both, 2), banded("iops_kiops", operations, metadata, 2),
          banded("wall_time_s", total_s(rates, written(rates, sizes)),
                 implementation.tuned("band_time", 0.15), 0),
          banded("bytes_written", volume(rates, sizes).bytes, easy, -9)};
}

}  // namespace
}  // namespace shakedown::io500

namespace shakedown::suite {

extern const Suite io500;

namespace {

using namespace shakedown::io500;

/// A run that writes tens of terabytes or over a hundred million files must be wanted. Without that the plan
/// is a study: it is made, and its job stops before it writes.
void check_volume(const PlanRequest& request, const Volume& volume, const std::string& much, Case& planned) {
  const Implementation& implementation = *request.implementation;
  const std::optional<SiteIo500> site = site_of(request.site);
  const bool large = volume.bytes > implementation.tuned("ask_above_tb", 10) * 1e12 ||
                     volume.files > implementation.tuned("ask_above_million_files", 100) * 1e6;
  if (!large || (site && site->allow_full)) return;
  const std::string_view keys =
      site && !site->datadir.empty() ? "allow_full_io500 = true" : "datadir and allow_full_io500 = true";
  planned.unallowed = fmt::format("{}: `run` refuses it until [site.io500] states {}", much, keys);
  add_obstacle(planned, planned.unallowed);
  planned.preparation = {
      {"sh", "-c", fmt::format("echo 'state {} in [site.io500] first' >&2; exit 2", keys)}};
}

Result<bool> pinned_truth(const PlanRequest& request, std::string_view name) {
  const std::string text = request.pinned_text(name);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return fail(fmt::format("pin {}", name), fmt::format("'{}' is neither true nor false", text));
}

Result<IniChoices> choices(const PlanRequest& request, const Target& target) {
  IniChoices chosen;
  const auto unique_dir = pinned_truth(request, "unique_dir");
  if (!unique_dir) return failure_of(unique_dir);
  const auto drop_caches = pinned_truth(request, "drop_caches");
  if (!drop_caches) return failure_of(drop_caches);
  chosen.unique_dir = *unique_dir;
  chosen.drop_caches = *drop_caches;
  chosen.ior_easy_api = request.pinned_text("ior_easy_api");
  if (chosen.ior_easy_api.find_first_of("#;\n") != std::string::npos)
    return fail("pin ior_easy_api", "io500.ini takes no '#', ';' or line break in a value");
  if (chosen.ior_easy_api.empty() && !target.type.empty())
    chosen.ior_easy_api = request.implementation->tuned_text("ior_easy_api_" + target.type);
  return chosen;
}

void warn(const PlanRequest& request, const Target& target, const IniChoices& chosen, Case& planned) {
  if (planned.nodes == 1 && !chosen.drop_caches)
    planned.warnings.emplace_back(
        "one client reads from its own memory what it wrote: reads and stats are no measure of the storage "
        "unless "
        "caches are dropped (IO5-09); pin drop_caches = true where `sudo -n` is allowed");
  if (!target.stated && planned.nodes > 1)
    planned.warnings.emplace_back(
        "the configuration states no [site.io500] datadir: the files go into the run directory, which must "
        "lie on "
        "the file system that is to be measured");
  if (is_screen(request))
    planned.warnings.emplace_back(
        "a short run: its write phases are shorter than the list's 300 s, so the program marks it invalid "
        "(IO5-02), as expected");
  else if (request.time_s > 0 && request.time_s < 3600)
    planned.warnings.push_back(
        fmt::format("IO500's four write phases last 300 s each at least (IO5-02): the wished {} are not kept",
                    duration_text(request.time_s)));
}

/// A program with an option for it also gets the site's directory as an argument: its permission to write to
/// a network file system. It does not remove a directory that it found, which may then be there before the
/// next run.
void name_directory(const PlanRequest& request, const Target& place, Case& planned) {
  const std::string option = request.implementation->tuned_text("io_dir_option");
  if (option.empty()) return;
  if (place.stated) planned.arguments.insert(planned.arguments.end(), {option, place.datadir});
  for (std::vector<std::string>& line : planned.preparation)
    if (line.size() > 1 && line[0] == "mkdir" && line[1] != "-p") line.insert(line.begin() + 1, "-p");
}

/// Disks that discard what is freed, or a busy machine, may take several times the wished time.
void limit_screen(const PlanRequest& request, Case& planned) {
  planned.time_limit_s = 10 * std::ceil(request.time_s) + 60;
  planned.why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
       fmt::format("10 x the wished {} in whole seconds + 60 s", duration_text(std::ceil(request.time_s))),
       "time limit: a run this long is stuck"});
}

/// Twice the longest predicted run, and never less than what a run usually takes.
void limit_time(Case& planned, const Implementation& implementation) {
  const double usual = implementation.tuned("least_limit_s", 7200);
  const Prediction* wall = find_prediction(planned, "wall_time_s");
  planned.time_limit_s = std::max(usual, wall == nullptr ? 0 : std::ceil(2 * wall->high / 60) * 60);
  planned.why.push_back({"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
                         wall == nullptr ? "a run takes up to two hours"
                                         : fmt::format("two hours, or 2 x {} (the longest predicted run)",
                                                       duration_text(wall->high)),
                         "IO500, README"});
}

Result<Case> planned_io500(const PlanRequest& request) {
  const auto layout = clients(request);
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  const Target place = target(request, planned->id);
  const Rates known = rates(request, place.storage);
  const bool screen = is_screen(request);
  const auto size =
      screen ? screen_sizes(request, layout->ranks(), place) : sizes(request, layout->ranks(), known, place);
  if (!size) return failure_of(size);
  const auto chosen = choices(request, place);
  if (!chosen) return failure_of(chosen);

  add_notes(*planned, *size);
  planned->parameters = {{"procs", std::int64_t{layout->ranks()}}, {"block_size", size->block_size},
                         {"transfer_size", size->transfer_size},   {"segment_count", size->segment_count},
                         {"mdtest_easy_n", size->mdtest_easy_n},   {"mdtest_hard_n", size->mdtest_hard_n},
                         {"stonewall_s", size->stonewall_s}};
  planned->files = {{request.implementation->input_file, io500_ini(*size, place, *chosen)}};
  planned->preparation = directories(place, site_of(request.site).value_or(SiteIo500()).stripes);
  name_directory(request, place, *planned);
  check_volume(request, volume(known, *size), volume_text(planned->nodes, *size, known, place), *planned);
  warn(request, place, *chosen, *planned);
  planned->predicted = screen ? std::vector<Prediction>{screen_time(request)}
                              : predictions(*request.implementation, known, *size);
  planned->model = known.predicts && !screen ? described_model(*request.implementation, known.text)
                                             : Model{known.text, "", 0, 0};
  if (screen)
    limit_screen(request, *planned);
  else
    limit_time(*planned, *request.implementation);
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

constexpr std::array<std::string_view, 10> pins = {
    "ranks_per_node", "block_size",  "transfer_size", "segment_count", "mdtest_easy_n",
    "mdtest_hard_n",  "stonewall_s", "ior_easy_api",  "unique_dir",    "drop_caches"};

}  // namespace

const Suite io500 = {
    .id = "io500",
    .plan = planned_io500,
    .pins = pins,
};

}  // namespace shakedown::suite
