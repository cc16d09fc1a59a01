#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/slurm.hpp"

namespace shakedown {
namespace {

constexpr int most_gres_gpus = 1024;

/// A list's pieces, where commas within brackets don't count: "gpu:a100:2(S:0,1),nvme:1".
std::vector<std::string_view> outer_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    pieces.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return pieces;
}

}  // namespace

Result<std::vector<SlurmGpus>> gpus_of_gres(std::string_view gres) {
  std::vector<SlurmGpus> gpus;
  if (gres.empty() || gres == "(null)") return gpus;
  for (const std::string_view piece : outer_pieces(gres)) {
    const auto parts = split(piece.substr(0, piece.find('(')), ':');
    if (parts.front() != "gpu") continue;
    const auto number = parsed_integer(parts.back());
    const bool counted = parts.size() > 1 && number.has_value();
    const std::int64_t count = counted ? number.value_or(1) : 1;
    const bool typed = parts.size() == 3 || (parts.size() == 2 && !counted);
    if (parts.size() > 3 || (parts.size() == 3 && !counted) || count < 0 || count > most_gres_gpus)
      return fail("", fmt::format("'{}' is no number of GPUs", piece));
    if (count > 0) gpus.push_back({typed ? std::string(parts[1]) : "", static_cast<int>(count)});
  }
  return gpus;
}

Result<std::vector<SlurmGpus>> gpus_of_tres(std::string_view tres) {
  constexpr std::string_view prefix = "gres/gpu";
  std::vector<std::string> typed;
  std::vector<std::string> total;
  for (const std::string_view piece : split(tres, ',')) {
    if (!piece.starts_with(prefix)) continue;
    std::string gres(piece.substr(prefix.size() - 3));
    std::replace(gres.begin(), gres.end(), '=', ':');
    (piece.substr(prefix.size()).starts_with(':') ? typed : total).push_back(std::move(gres));
  }
  return gpus_of_gres(joined(typed.empty() ? total : typed, ","));
}

}  // namespace shakedown
