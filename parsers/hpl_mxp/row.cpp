#include "parsers/hpl_mxp/row.hpp"

#include <array>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {

std::optional<HplAiRow> hpl_ai_row(const LogLine& line, const HplAiColumns& columns) {
  constexpr std::string_view mark = "HPL_AI ";
  const size_t start = line.text.find(mark);
  if (start == std::string_view::npos) return std::nullopt;
  const auto cells = words(line.text.substr(start + mark.size()));
  constexpr size_t plain = 7;  // T/V N NB P Q Time Gflops
  if (cells.empty() || cells[0].size() < 3 || cells[0][0] != 'W' ||
      (cells[0][1] != 'R' && cells[0][1] != 'C'))
    return std::nullopt;
  HplAiRow found;
  HplRow& row = found.row;
  row.variant = cells[0];
  const auto faulty = [&](std::string why) {
    row.fault = std::move(why);
    return found;
  };
  if (!line.terminated || cells.size() < plain || (columns.refinement && cells.size() < plain + 2))
    return faulty("it is cut");
  if (!columns.named && cells.size() < plain + 2) return faulty("no header names its rate");
  const std::array<std::int64_t*, 4> sizes = {&row.N, &row.NB, &row.P, &row.Q};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto value = positive_integer(cells[i + 1]);
    if (!value) return faulty("its N, NB, P or Q is '" + std::string(cells[i + 1]) + "'");
    *sizes[i] = *value;
  }
  if (const auto time = finite_number(cells[5]); !time || *time < 0)
    return faulty("its Time is '" + std::string(cells[5]) + "'");
  if (!is_whole_exponential(cells[6])) return faulty("its Gflops is '" + std::string(cells[6]) + "'");
  row.time = cells[5];
  row.gflops = cells[6];
  if (cells.size() < plain + 2) return found;
  if (!finite_number(cells[plain])) return faulty("its FGMRES is '" + std::string(cells[plain]) + "'");
  found.refinement_time = cells[plain];
  size_t last = plain + 1;
  if (cells.size() > last + 1 && parsed_integer(cells[last])) found.iterations = cells[last++];
  if (!is_whole_exponential(cells[last]))
    return faulty("its Gflops_IRS is '" + std::string(cells[last]) + "'");
  found.total_gflops = cells[last];
  return found;
}

}  // namespace shakedown
