#include "suites/io500/sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "orchestrator/core/units.hpp"

namespace shakedown::io500 {
namespace {

constexpr double mebi = kibi * kibi;
constexpr std::int64_t most_segments = 2'000'000'000;  // IO500 reads a 32-bit number

/// IO500's defaults, "very high" by its README.
constexpr std::int64_t default_block = static_cast<std::int64_t>(9'920'000 * mebi);
constexpr std::int64_t default_segments = 10'000'000;
constexpr std::int64_t default_files = 1'000'000;

/// Of the space where no rate is known: ior-easy, ior-hard, mdtest-hard. ior-easy is the fastest by an order
/// of magnitude on all published systems.
constexpr double easy_share = 0.75;
constexpr double hard_share = 0.15;
constexpr double files_share = 0.10;

struct Phase {
  std::string_view rate;        ///< name of its rate
  std::string_view parameter;   ///< name of its items
  double unit = 1;              ///< items of a second at rate 1
  std::int64_t step = 1;        ///< items are full multiples of it
  std::int64_t least_step = 1;  ///< ... or of this, where there is space for less
  std::int64_t usual = 0;       ///< IO500's default
  double fitting = 0;           ///< items of a rank for which there is space; 0: not known
  std::string band;             ///< name of the rate's band
  std::string_view noun;
  bool is_size = false;   ///< its items are bytes, spelled as IOR does
  double item_bytes = 0;  ///< that the links carry for each; 0: none
};

/// Of a rank.
struct Items {
  std::int64_t each = 0;
  Bound bound = Bound::pin;
};

struct Derivation {
  const PlanRequest& request;
  const Rates& rates;
  const Target& target;
  Sizes& sizes;

  [[nodiscard]] double margin() const { return request.implementation->tuned("margin", 1.3); }
  [[nodiscard]] double seconds(const Phase& phase) const;
  Result<std::int64_t> items(const Phase& phase);
  [[nodiscard]] std::int64_t wanted(const Phase& phase) const;
  Items derived(const Phase& phase);
  Items cut_to_space(const Phase& phase);
  [[nodiscard]] std::int64_t carried(const Phase& phase) const;
  Result<void> check_pin(const Phase& phase, std::int64_t items, const std::string& text);
};

std::string ior_text(std::int64_t bytes) {
  if (bytes % static_cast<std::int64_t>(gibi) == 0)
    return fmt::format("{}g", bytes / static_cast<std::int64_t>(gibi));
  if (bytes % static_cast<std::int64_t>(mebi) == 0)
    return fmt::format("{}m", bytes / static_cast<std::int64_t>(mebi));
  return fmt::format("{}", bytes);
}

std::string items_text(const Phase& phase, std::int64_t items) {
  return phase.is_size ? ior_text(items) : fmt::format("{}", items);
}

std::int64_t rounded_up(double value, std::int64_t step) {
  return static_cast<std::int64_t>(std::ceil(value / static_cast<double>(step))) * step;
}

/// Items of all ranks that the stonewall's time needs.
double needed(const Phase& phase, const Derivation& derivation) {
  return derivation.rates.rate(phase.rate) * phase.unit * static_cast<double>(derivation.sizes.stonewall_s);
}

/// How long the items must last: the stonewall and its margin; and the published phase with its wear-out, in
/// which every rank does as much as the fastest did until the stonewall.
double Derivation::seconds(const Phase& phase) const {
  return std::max(static_cast<double>(sizes.stonewall_s) * margin(),
                  rates.write_s(phase.rate) * request.implementation->tuned("wear_out_margin", 1.1));
}

/// Items of a rank that last that long.
std::int64_t Derivation::wanted(const Phase& phase) const {
  return rounded_up(rates.rate(phase.rate) * phase.unit * seconds(phase) / sizes.ranks, phase.step);
}

/// Whose rates bound the items where these nodes have none of their own.
std::string replacement(const Rates& rates, const PlanRequest& request, const Phase& phase) {
  if (rates.predicts) return {};
  const double bound = static_cast<double>(request.hosts.size()) * client_gib_s(*request.group);
  if (phase.rate.starts_with("ior_") && !rates.client_bound.empty() && rates.rate(phase.rate) >= bound)
    return fmt::format("; the rate is {}, less than {} nodes reach", rates.client_bound, rates.nodes);
  const bool more = static_cast<std::int64_t>(request.hosts.size()) > rates.nodes;
  return fmt::format(
      "; the rate is that of {} nodes, the {} published: {}", rates.nodes, more ? "most" : "fewest",
      more ? "more clients find the same servers saturated" : "fewer clients ask less of the same servers");
}

/// The items of a rank that the links carry for as long as they must last, no more than IO500's default; 0:
/// the links, or whether they lead to the storage, are not known.
std::int64_t Derivation::carried(const Phase& phase) const {
  if (target.links_gib_s <= 0 || phase.item_bytes <= 0) return 0;
  const double each = target.links_gib_s * gibi * seconds(phase) / phase.item_bytes / sizes.ranks;
  return std::min(phase.usual, rounded_up(each, phase.step));
}

Items Derivation::derived(const Phase& phase) {
  if (rates.known) {
    const std::int64_t each = wanted(phase);
    if (!rates.predicts && phase.fitting > 0 && static_cast<double>(each) > phase.fitting)
      return cut_to_space(phase);
    sizes.why.push_back(
        {std::string(phase.parameter), each,
         fmt::format("{} {} x {:.0f} s (the longer of {} x {} s and {} x {:.0f} s, the "
                     "published time) / {} ranks, rounded "
                     "up to a multiple of {}{}",
                     number(rates.rate(phase.rate)), phase.noun, seconds(phase), margin(), sizes.stonewall_s,
                     request.implementation->tuned("wear_out_margin", 1.1), rates.write_s(phase.rate),
                     sizes.ranks, items_text(phase, phase.step), replacement(rates, request, phase)),
         request.implementation->tuned_text("margin_source")});
    return {each, Bound::rate};
  }
  const std::int64_t carried_items = carried(phase);
  const std::int64_t most = carried_items > 0 ? carried_items : phase.usual;
  if (phase.fitting > 0 && phase.fitting < static_cast<double>(most)) return cut_to_space(phase);
  if (most < phase.usual) {
    sizes.why.push_back(
        {std::string(phase.parameter), most,
         fmt::format(
             "no rate is known here; {} carry {} GiB/s: x {:.0f} s ({} x {} s) / {} ranks, rounded up to a "
             "multiple of {}",
             target.links_because, number(target.links_gib_s, 4), seconds(phase), margin(), sizes.stonewall_s,
             sizes.ranks, items_text(phase, phase.step)),
         "no storage is faster than the links to it; " +
             request.implementation->tuned_text("margin_source")});
    return {most, Bound::links};
  }
  sizes.why.push_back(
      {std::string(phase.parameter), phase.usual,
       "no rate is known here: more than any storage takes in the time, the stonewall ends it",
       "IO500, defaults of src/phase_*.c"});
  return {phase.usual, Bound::usual_size};
}

Items Derivation::cut_to_space(const Phase& phase) {
  const std::int64_t step = phase.fitting < static_cast<double>(phase.step) ? phase.least_step : phase.step;
  const std::int64_t each = static_cast<std::int64_t>(phase.fitting / static_cast<double>(step)) * step;
  sizes.why.push_back(
      {std::string(phase.parameter), each,
       fmt::format("{}: each rank's part of {}, rounded down to a multiple of {}",
                   rates.known ? fmt::format("less than the {} that the rates of {} nodes ask for",
                                             items_text(phase, wanted(phase)), rates.nodes)
                               : std::string("no rate is known here"),
                   target.bytes_because, items_text(phase, step)),
       "IO500 capacity"});
  sizes.warnings.push_back(
      fmt::format("{} is cut to the space: a storage fast enough runs out of it before {} s, and the run is "
                  "invalid (IO5-02)",
                  phase.parameter, sizes.stonewall_s));
  return {each, Bound::space};
}

/// By the model: items that surely run out early are refused, those that may are warned about. `text`: the
/// items as they were pinned.
Result<void> Derivation::check_pin(const Phase& phase, std::int64_t items, const std::string& text) {
  if (!rates.known) return {};
  const double all = static_cast<double>(items) * sizes.ranks;
  const double least = needed(phase, *this);
  const double band = request.implementation->tuned(phase.band, 0.1);
  if (rates.predicts && all < least * (1 - band))
    return fail(
        "IO5-02",
        fmt::format("the pinned {} = {} runs out after {} of the {} s that the phase must last",
                    phase.parameter, text,
                    duration_text(all / least * static_cast<double>(sizes.stonewall_s)), sizes.stonewall_s),
        fmt::format("pin at least {}", items_text(phase, wanted(phase))));
  if (all < least * margin())
    sizes.warnings.push_back(fmt::format(
        "the pinned {} = {} is {:.2f} of what the stonewall's time needs{}, below the margin of {}: the "
        "fastest ranks may run out early (IO5-02)",
        phase.parameter, text, all / least,
        rates.predicts ? std::string() : fmt::format(" at the rates of {} nodes", rates.nodes), margin()));
  return {};
}

Result<std::int64_t> Derivation::items(const Phase& phase) {
  const auto pinned = request.pinned(phase.parameter);
  if (!pinned) return failure_of(pinned);
  const std::optional<std::int64_t> pin = *pinned;
  if (!pin) return derived(phase).each;
  if (auto ok = check_pin(phase, *pin, std::to_string(*pin)); !ok) return failure_of(ok);
  sizes.why.push_back(
      {std::string(phase.parameter), *pin, "as the configuration wants it", "pinned in the configuration"});
  return *pin;
}

/// block_size is a text with a unit, so it is pinned apart from the whole numbers.
Result<void> set_block(Derivation& derivation, double space) {
  Sizes& sizes = derivation.sizes;
  const Implementation& implementation = *derivation.request.implementation;
  const std::string transfer = derivation.request.pinned_text("transfer_size");
  sizes.transfer_size = transfer.empty() ? implementation.tuned_text("transfer_size") : transfer;
  const auto bytes = ior_bytes(sizes.transfer_size);
  if (!bytes) return fail("pin transfer_size", bytes.error().what, bytes.error().hint);
  sizes.transfer_bytes = *bytes;
  sizes.why.push_back(
      {"transfer_size", sizes.transfer_size, "of ior-easy; ior-hard's is fixed",
       transfer.empty() ? implementation.tuned_text("transfer_size_source") : "pinned in the configuration"});
  Phase phase{"ior_easy_write",
              "block_size",
              gibi,
              static_cast<std::int64_t>(gibi),
              sizes.transfer_bytes,
              default_block,
              space * easy_share,
              "band_easy",
              "GiB/s",
              true,
              1};
  const std::string pinned = derivation.request.pinned_text("block_size");
  if (pinned.empty()) {
    // Less than a GiB for each: whole transfers.
    const bool small =
        derivation.rates.known
            ? derivation.rates.rate(phase.rate) * phase.unit * derivation.seconds(phase) / sizes.ranks < gibi
            : space > 0 && space * easy_share < gibi;
    if (small || static_cast<std::int64_t>(gibi) % sizes.transfer_bytes != 0)
      phase.step = sizes.transfer_bytes;
    const Items items = derivation.derived(phase);
    sizes.block_bytes = items.each;
    sizes.easy_bound = items.bound;
  } else {
    const auto block = ior_bytes(pinned);
    if (!block) return fail("pin block_size", block.error().what, block.error().hint);
    const std::string size = bytes_text(static_cast<double>(*block));
    if (auto ok = derivation.check_pin(phase, *block, fmt::format("{} ({})", pinned, size)); !ok) return ok;
    sizes.block_bytes = *block;
    sizes.why.push_back({"block_size", pinned, fmt::format("{}, as the configuration wants it", size),
                         "pinned in the configuration"});
  }
  sizes.block_size = pinned.empty() ? ior_text(sizes.block_bytes) : pinned;
  for (Reason& reason : sizes.why)
    if (reason.what == "block_size") reason.value = sizes.block_size;
  if (sizes.block_bytes % sizes.transfer_bytes != 0)
    return fail(
        "pin block_size",
        fmt::format("the block {} is no multiple of the transfer {}", sizes.block_size, sizes.transfer_size),
        "IOR wants whole transfers: pin both so that one divides the other");
  return {};
}

Result<void> check_stonewall(Sizes& sizes, const PlanRequest& request) {
  const auto pinned = request.pinned("stonewall_s");
  if (!pinned) return failure_of(pinned);
  sizes.stonewall_s = static_cast<std::int64_t>(request.implementation->tuned("stonewall_s", 300));
  const std::optional<std::int64_t> wanted = *pinned;
  if (wanted && *wanted != sizes.stonewall_s)
    return fail("IO5-02", fmt::format("the pinned stonewall_s = {} makes the run invalid", *wanted),
                fmt::format("IO500's rules fix it at {}: leave it out", sizes.stonewall_s));
  sizes.why.push_back({"stonewall_s", sizes.stonewall_s, "every write phase lasts at least that long",
                       "IO5-02: fixed by IO500's rules"});
  return {};
}

/// What part of the file system the items take.
void explain(Sizes& sizes, const Target& target) {
  const auto share = [](double part, double whole, const std::string& because) {
    return whole > 0 ? fmt::format("{} of {}", percent_text(part / whole), because)
                     : std::string("of how much is not known");
  };
  const double files = sizes.hard_files() * file_system_block;
  std::string space =
      fmt::format("at most {} of ior-easy + {} of ior-hard + {} of mdtest-hard: {}",
                  bytes_text(sizes.easy_bytes()), bytes_text(sizes.hard_bytes()), bytes_text(files),
                  share(sizes.bytes(), target.space, target.space_because));
  if (target.space > target.bytes)
    space += fmt::format("; {} may be filled", percent_text(target.bytes / target.space, 0));
  sizes.why.push_back({"space", bytes_text(sizes.bytes()), std::move(space), "IO500 capacity"});
  const auto inodes = static_cast<double>(target.inodes);
  sizes.why.push_back(
      {"inodes", count_text(sizes.files()),
       fmt::format("at most {} of mdtest-easy + {} of mdtest-hard + {} of IOR: {}",
                   count_text(sizes.easy_files()), count_text(sizes.hard_files()),
                   count_text(sizes.ranks + 1), share(sizes.files(), inodes, count_text(inodes))),
       "IO500 capacity"});
}

}  // namespace

double Sizes::easy_bytes() const {
  return static_cast<double>(block_bytes) * ranks;
}
double Sizes::hard_bytes() const {
  return static_cast<double>(segment_count) * static_cast<double>(hard_block) * ranks;
}
double Sizes::easy_files() const {
  return static_cast<double>(mdtest_easy_n) * ranks;
}
double Sizes::hard_files() const {
  return static_cast<double>(mdtest_hard_n) * ranks;
}
double Sizes::bytes() const {
  return easy_bytes() + hard_bytes() + hard_files() * file_system_block;
}
double Sizes::files() const {
  return easy_files() + hard_files() + ranks + 1;
}

Result<std::int64_t> ior_bytes(std::string_view text) {
  constexpr std::array<std::pair<char, double>, 3> units = {{{'k', kibi}, {'m', mebi}, {'g', gibi}}};
  const std::string hint = "bytes, or a number with k, m or g, as IOR takes them";
  std::string_view digits = text;
  double unit = 1;
  for (const auto& [letter, bytes] : units)
    if (!text.empty() && (text.back() == letter || text.back() == letter - 'a' + 'A')) {
      digits.remove_suffix(1);
      unit = bytes;
      break;
    }
  const auto count = parsed_integer(digits);
  if (!count || *count < 1 || static_cast<double>(*count) > 9e18 / unit)
    return fail("", fmt::format("'{}' is no size above 0", text), hint);
  return *count * static_cast<std::int64_t>(unit);
}

Result<Sizes> sizes(const PlanRequest& request, int ranks, const Rates& rates, const Target& target) {
  Sizes found;
  found.ranks = ranks;
  if (auto ok = check_stonewall(found, request); !ok) return failure_of(ok);
  Derivation derivation{request, rates, target, found};
  const double space = target.bytes / ranks;
  if (auto ok = set_block(derivation, space); !ok) return failure_of(ok);
  const auto segments =
      derivation.items({"ior_hard_write", "segment_count", gibi / static_cast<double>(hard_block), 1000, 1,
                        default_segments, space * hard_share / static_cast<double>(hard_block), "band_hard",
                        "GiB/s", false, static_cast<double>(hard_block)});
  if (!segments) return failure_of(segments);
  if (*segments > most_segments)
    return fail("pin segment_count", fmt::format("{} is more than IO500 can read", *segments),
                fmt::format("at most {}", most_segments));
  found.segment_count = *segments;
  const double inodes = target.inodes > 0 ? 0.4 * static_cast<double>(target.inodes) / ranks : 0;
  const auto easy = derivation.items(
      {"mdtest_easy_write", "mdtest_easy_n", 1000, 1000, 1, default_files, inodes, "band_metadata", "kIOPS"});
  if (!easy) return failure_of(easy);
  found.mdtest_easy_n = *easy;
  double fitting = space * files_share / file_system_block;
  if (inodes > 0) fitting = fitting > 0 ? std::min(fitting, inodes) : inodes;
  if (target.directory_limit > 0) {
    const double limit = static_cast<double>(target.directory_limit) / ranks;
    fitting = fitting > 0 ? std::min(fitting, limit) : limit;
  }
  const auto hard =
      derivation.items({"mdtest_hard_write", "mdtest_hard_n", 1000, 1000, 1, default_files, fitting,
                        "band_metadata", "kIOPS", false, static_cast<double>(hard_file)});
  if (!hard) return failure_of(hard);
  found.mdtest_hard_n = *hard;
  if (auto ok = check_capacity(found, target); !ok) return failure_of(ok);
  if (rates.known && static_cast<std::int64_t>(request.hosts.size()) > rates.nodes && !rates.predicts)
    found.warnings.push_back(fmt::format(
        "the sizes take the storage to be no faster than {} nodes found it: where it is faster by "
        "more than the margin of {}, a phase ends before {} s and the run is invalid (IO5-02)",
        rates.nodes, derivation.margin(), found.stonewall_s));
  return found;
}

Result<void> check_capacity(Sizes& sizes, const Target& target) {
  if (target.bytes > 0 && sizes.bytes() > target.bytes)
    return fail("IO500 capacity",
                fmt::format("{} ranks may write {}, and there is room for {} ({})", sizes.ranks,
                            bytes_text(sizes.bytes()), bytes_text(target.bytes), target.bytes_because),
                "a larger file system, its true free_bytes in [site.io500], or smaller pins");
  const std::array<std::int64_t, 4> least = {sizes.block_bytes, sizes.segment_count, sizes.mdtest_easy_n,
                                             sizes.mdtest_hard_n};
  if (std::ranges::any_of(least, [](std::int64_t each) { return each < 1; }))
    return fail(
        "IO500 capacity",
        fmt::format("{} is too small for one item of each of {} ranks", target.bytes_because, sizes.ranks),
        "a larger file system, or a pin of fewer ranks_per_node");
  if (target.bytes == 0)
    sizes.warnings.emplace_back(
        "the free space is unknown: state free_bytes in [site.io500], or the run may fill the file "
        "system");
  if (target.inodes > 0 && sizes.files() > static_cast<double>(target.inodes))
    return fail("IO500 capacity",
                fmt::format("{} files may be made, and there are {} inodes", count_text(sizes.files()),
                            count_text(static_cast<double>(target.inodes))),
                "more inodes, or smaller pins of mdtest_easy_n and mdtest_hard_n");
  if (target.directory_limit > 0 && sizes.hard_files() > static_cast<double>(target.directory_limit))
    return fail(
        "IO500 capacity",
        fmt::format("mdtest-hard may make {} files in one directory, which holds {}",
                    count_text(sizes.hard_files()), count_text(static_cast<double>(target.directory_limit))),
        "raise the directory's limit (directory_limit in [site.io500]), or pin a smaller mdtest_hard_n");
  if (target.inodes == 0)
    sizes.warnings.push_back(
        fmt::format("up to {} files are made; whether there are inodes for them was not checked (state "
                    "free_inodes in [site.io500])",
                    count_text(sizes.files())));
  if (target.directory_limit == 0)
    sizes.warnings.push_back(
        fmt::format("mdtest-hard makes up to {} files in one directory; whether it may hold them was not "
                    "checked (state directory_limit in [site.io500])",
                    count_text(sizes.hard_files())));
  explain(sizes, target);
  return {};
}

}  // namespace shakedown::io500
