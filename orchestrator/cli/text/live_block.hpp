#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"

namespace shakedown {

/// The size of a terminal; if it reports none, that of COLUMNS and LINES, else 80 x 24.
struct WindowSize {
  int columns = 80;
  int rows = 24;
};
WindowSize window_size(int fd);

/// Lines at the bottom of a terminal that are redrawn in place, and others that scroll above them.
///
/// The cursor is below the block, in the first column, and is never hidden nor the terminal set otherwise:
/// however this process ends, the terminal is as before. Ctrl-Z wipes the block first; after `fg` it is drawn
/// below what the shell wrote. In the background nothing is drawn. One at a time.
class LiveBlock {
 public:
  explicit LiveBlock(int fd);
  ~LiveBlock();  ///< wipes
  LiveBlock(const LiveBlock&) = delete;
  LiveBlock& operator=(const LiveBlock&) = delete;

  /// Takes the place of what was drawn. Lines may hold colours; each must fit the window.
  void draw(const std::vector<std::string>& lines);
  /// A line that stays, above the block, which is drawn again below it.
  void print(std::string_view line);
  void wipe();

 private:
  [[nodiscard]] bool in_foreground() const;
  /// To the block's first line, however its lines were broken since by a narrower window.
  [[nodiscard]] std::string to_top() const;
  [[nodiscard]] std::string drawn_again();
  void put(std::string_view text) const;

  int fd_ = 2;
  std::vector<std::string> lines_;
  std::vector<int> widths_;  ///< of the lines on the screen
};

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
