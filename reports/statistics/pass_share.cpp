#include "reports/statistics/pass_share.hpp"

#include <cmath>

#include "reports/statistics/sample.hpp"

namespace shakedown {

Result<PassShare> pass_share(std::span<const std::vector<double>> passes) {
  double count = 0;
  double all = 0;
  double sizes_squared = 0;
  double within = 0;
  double mean = 0;
  std::vector<Moments> parts;
  for (const std::vector<double>& pass : passes) {
    if (auto good = check_sample(pass, 0, "a pass"); !good) return pass_on(good);
    if (pass.size() < 2) continue;
    parts.push_back(moments(pass));
    const double n = static_cast<double>(pass.size());
    count += 1;
    all += n;
    sizes_squared += n * n;
    within += parts.back().deviation * parts.back().deviation * (n - 1);
    mean += parts.back().mean * n;
  }
  if (parts.size() < 2)
    return fail("",
                fmt::format("{} passes of several runs don't tell what a pass has in common", parts.size()),
                "repeat runs within two passes at least");
  mean /= all;
  double between = 0;
  for (const Moments& part : parts)
    between += static_cast<double>(part.n) * (part.mean - mean) * (part.mean - mean);
  between /= count - 1;
  within /= all - count;
  const double size = (all - sizes_squared / all) / (count - 1);
  const double total = between + (size - 1) * within;
  if (!(total > 0)) return fail("", "all runs of all passes gave the same", "give unrounded values");
  return PassShare{(between - within) / total, std::sqrt(2 / (size * (size - 1) * (count - 1)))};
}

}  // namespace shakedown
