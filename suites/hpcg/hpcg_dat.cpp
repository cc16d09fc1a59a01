#include "suites/hpcg/hpcg_dat.hpp"

#include <fmt/core.h>

namespace shakedown::hpcg {

std::string hpcg_dat(const Box& local, std::int64_t run_time_s, const std::optional<Box>& grid) {
  std::string text = fmt::format("HPCG benchmark input file\nplanned by shakedown\n{} {} {}\n{}\n", local.x,
                                 local.y, local.z, run_time_s);
  if (grid) text += fmt::format("{} {} {}\n", grid->x, grid->y, grid->z);
  return text;
}

}  // namespace shakedown::hpcg
