#include "suites/io500/screen.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "suites/io500/sizes.hpp"

namespace shakedown::io500 {
namespace {

constexpr double shortest_valid_s = 3600;
/// Parts of the space: the program stops ior-easy at 0.7 of its tenth, ior-hard at 0.7 of what remains.
constexpr double screen_easy_share = 0.6;
constexpr double screen_hard_share = 0.2;
constexpr std::int64_t screen_mebi = 1 << 20;

struct Screen {
  const PlanRequest& request;
  Sizes& sizes;

  /// Of all nodes, each as fast as a small disk.
  [[nodiscard]] double rate(std::string_view name) const {
    return request.implementation->tuned(name, 1) * static_cast<double>(request.hosts.size());
  }

  /// Items of a rank at `rate` items a second of all of them, at most `fitting` where that is known.
  Result<std::int64_t> items(std::string_view name, double rate, double fitting) {
    const auto pinned = request.pinned(name);
    if (!pinned) return failure_of(pinned);
    if (const std::optional<std::int64_t> pin = *pinned) {
      sizes.why.push_back(
          {std::string(name), *pin, "as the configuration wants it", "pinned in the configuration"});
      return *pin;
    }
    const double wanted = rate * static_cast<double>(sizes.stonewall_s) / sizes.ranks;
    const bool cut = fitting > 0 && fitting < wanted;
    const auto each = static_cast<std::int64_t>(std::max(1.0, std::floor(cut ? fitting : wanted)));
    sizes.why.push_back(
        {std::string(name), each,
         cut ? "a screening's part of the space"
             : fmt::format("{} a second for {} s on {} ranks, so that a slow disk does not make the run long",
                           number(rate, 3), sizes.stonewall_s, sizes.ranks),
         request.implementation->tuned_text("screen_source")});
    return each;
  }
};

Result<void> set_block(Screen& screen, double space) {
  Sizes& sizes = screen.sizes;
  const std::string transfer = screen.request.pinned_text("transfer_size");
  sizes.transfer_size =
      transfer.empty() ? screen.request.implementation->tuned_text("transfer_size") : transfer;
  const auto bytes = ior_bytes(sizes.transfer_size);
  if (!bytes) return fail("pin transfer_size", bytes.error().what, bytes.error().hint);
  sizes.transfer_bytes = *bytes;
  const std::string block = screen.request.pinned_text("block_size");
  if (block.empty()) {
    const double wanted =
        screen.rate("screen_easy_gib_s") * gibi * static_cast<double>(sizes.stonewall_s) / sizes.ranks;
    const double part = space > 0 ? std::min(wanted, space * screen_easy_share) : wanted;
    const std::int64_t step =
        std::max(sizes.transfer_bytes, screen_mebi / sizes.transfer_bytes * sizes.transfer_bytes);
    sizes.block_bytes = std::max(step, static_cast<std::int64_t>(part) / step * step);
    sizes.block_size = fmt::format("{}", sizes.block_bytes);
    if (sizes.block_bytes % screen_mebi == 0)
      sizes.block_size = fmt::format("{}m", sizes.block_bytes / screen_mebi);
    sizes.why.push_back(
        {"block_size", sizes.block_size,
         fmt::format(
             "{} GiB/s for {} s on {} ranks{}", screen.rate("screen_easy_gib_s"), sizes.stonewall_s,
             sizes.ranks,
             space > 0 ? fmt::format(", at most {} of the space", percent_text(screen_easy_share, 0)) : ""),
         screen.request.implementation->tuned_text("screen_source")});
  } else {
    const auto pinned = ior_bytes(block);
    if (!pinned) return fail("pin block_size", pinned.error().what, pinned.error().hint);
    sizes.block_bytes = *pinned;
    sizes.block_size = block;
    sizes.why.push_back(
        {"block_size", block, "as the configuration wants it", "pinned in the configuration"});
  }
  if (sizes.block_bytes % sizes.transfer_bytes != 0)
    return fail(
        "pin block_size",
        fmt::format("the block {} is no multiple of the transfer {}", sizes.block_size, sizes.transfer_size),
        "IOR wants whole transfers: pin both so that one divides the other");
  return {};
}

}  // namespace

bool is_screen(const PlanRequest& request) {
  return request.implementation->tuned("screen_write_part", 0) > 0 && request.time_s > 0 &&
         request.time_s < shortest_valid_s;
}

Result<Sizes> screen_sizes(const PlanRequest& request, int ranks, const Target& target) {
  Sizes found;
  found.ranks = ranks;
  Screen screen{request, found};
  const auto pinned = request.pinned("stonewall_s");
  if (!pinned) return failure_of(pinned);
  const double part = request.implementation->tuned("screen_write_part", 0);
  const double least = std::max(1.0, std::floor(part * request.time_s));
  found.stonewall_s = pinned->value_or(static_cast<std::int64_t>(least));
  found.why.push_back(
      {"stonewall_s", found.stonewall_s,
       *pinned ? std::string("as the configuration wants it")
               : fmt::format("{} of the wished {} in whole seconds, four write phases and eight others; not "
                             "the 300 s of a valid run",
                             percent_text(part), duration_text(request.time_s)),
       "IO5-02: a screening is never a valid IO500 result"});
  const double space = target.bytes / ranks;
  if (auto ok = set_block(screen, space); !ok) return failure_of(ok);
  const auto block = static_cast<double>(hard_block);
  const auto segments = screen.items("segment_count", screen.rate("screen_hard_gib_s") * gibi / block,
                                     space * screen_hard_share / block);
  if (!segments) return failure_of(segments);
  found.segment_count = *segments;
  const auto easy = screen.items("mdtest_easy_n", screen.rate("screen_easy_kfiles_s") * 1000, 0);
  if (!easy) return failure_of(easy);
  found.mdtest_easy_n = *easy;
  const auto hard = screen.items("mdtest_hard_n", screen.rate("screen_hard_files_s"),
                                 space * (1 - screen_easy_share - screen_hard_share) / file_system_block);
  if (!hard) return failure_of(hard);
  found.mdtest_hard_n = *hard;
  if (auto ok = check_capacity(found, target); !ok) return failure_of(ok);
  return found;
}

Prediction screen_time(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const double start = implementation.tuned("screen_start_s", 1);
  const double wall =
      std::min(request.time_s, start + implementation.tuned("screen_time_part", 0.7) * request.time_s);
  return {"wall_time_s", wall, start, std::round(2 * request.time_s)};
}

}  // namespace shakedown::io500
