#include "parsers/io500/row.hpp"

#include <algorithm>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr std::string_view invalid_mark = "[INVALID]";

/// The text between the brackets at the start of a line, and what stands behind them.
struct Tagged {
  std::string_view tag;
  std::string_view rest;
};
std::optional<Tagged> tagged(std::string_view text) {
  constexpr size_t longest = 20;
  const size_t close = text.substr(0, longest).find(']');
  if (text.empty() || text.front() != '[' || close == std::string_view::npos) return std::nullopt;
  return Tagged{trimmed(text.substr(1, close - 1)), text.substr(close + 1)};
}

/// Takes the mark off the end of the words.
bool take_mark(std::vector<std::string_view>& pieces) {
  if (pieces.empty() || pieces.back() != invalid_mark) return false;
  pieces.pop_back();
  return true;
}

}  // namespace

std::optional<Io500Row> io500_row(std::string_view text) {
  const auto line = tagged(text);
  if (!line || (line->tag != "RESULT" && line->tag != "RESULT-invalid" && !line->tag.empty()))
    return std::nullopt;
  auto pieces = words(line->rest);
  Io500Row row;
  row.invalid = take_mark(pieces) || line->tag == "RESULT-invalid";
  if (pieces.size() == 10 && (pieces[0] == "BW" || pieces[0] == "IOPS") && pieces[1] == "phase")
    pieces.erase(pieces.begin(), pieces.begin() + 3);
  if (pieces.size() != 7 || pieces[3] != ":" || pieces[4] != "time" || pieces[6] != "seconds")
    return std::nullopt;
  const auto phase = io500_phase_name(pieces[0]);
  const auto unit = io500_unit(pieces[2]);
  if (!phase || !unit) return std::nullopt;
  row.phase = *phase;
  row.value = pieces[1];
  row.unit = *unit;
  row.time = pieces[5];
  return row;
}

std::optional<Io500ScoreRow> io500_score_row(std::string_view text) {
  static constexpr std::string_view plain = "SCORE";
  const auto line = tagged(text);
  if (!line || !line->tag.starts_with(plain)) return std::nullopt;
  Io500ScoreRow row;
  const std::string_view mark = trimmed(line->tag.substr(plain.size()));
  row.extended = mark == "X" || mark == "_EXTENDED";
  auto pieces = words(line->rest);
  if (take_mark(pieces) || mark == "-invalid" || mark == "INVALID")
    row.mark = "INVALID";
  else if (mark == "-valid")
    row.mark = "valid";
  else if (!mark.empty() && !row.extended)
    return std::nullopt;
  if (pieces.size() != 10 || pieces[0] != "Bandwidth" || pieces[3] != ":" || pieces[4] != "IOPS" ||
      pieces[7] != ":" || pieces[8] != "TOTAL" || !io500_unit(pieces[2]) || pieces[6] != "kiops")
    return std::nullopt;
  row.BW = pieces[1];
  row.MD = pieces[5];
  row.SCORE = pieces[9];
  return row;
}

}  // namespace shakedown
