#include "suites/io500/outcome.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "orchestrator/core/units.hpp"

namespace shakedown::io500 {
namespace {

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

}  // namespace

Volume volume(const Rates& rates, const Sizes& sizes) {
  if (!rates.predicts) return {sizes.bytes(), sizes.files(), true};
  const Written left = written(rates, sizes);
  const double hard_files = left.hard_kfiles * 1000;
  return {(left.easy_gib + left.hard_gib) * gibi + hard_files * static_cast<double>(hard_file),
          left.easy_kfiles * 1000 + hard_files, false};
}

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

}  // namespace shakedown::io500
