#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"

namespace shakedown {

/// The part of a terminal that the live block may take, and what it can show.
struct BlockShape {
  int columns = 80;
  int rows = 16;
  bool utf8 = true;
};

/// A line of the block: a label to be coloured by its tone, and the text behind it. Together they are never
/// wider than the shape.
struct BlockLine {
  enum class Tone { plain, dim, bad };
  std::string label;  ///< "[ RUN ]"; empty: none
  std::string text;
  Tone tone = Tone::plain;
};

/// A campaign at one instant, in no more lines than the shape has rows: a line of sums, one for each case
/// that runs, one for each thing that cases wait for. What does not fit is counted ("and 37 more running").
std::vector<BlockLine> progress_block(const CampaignProgress& progress, const BlockShape& shape);

}  // namespace shakedown
