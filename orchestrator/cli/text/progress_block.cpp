#include "orchestrator/cli/text/progress_block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/cli/text/display_width.hpp"
#include "orchestrator/cli/text/progress_text.hpp"

namespace shakedown {
namespace {

using Tone = BlockLine::Tone;

constexpr int label_width = 8;  // "[ RUN ] "
constexpr int bar_width = 20;
constexpr int longest_name = 40;

std::string_view mark(const BlockShape& shape) {
  return shape.utf8 ? "…" : ">";
}

BlockLine line(const BlockShape& shape, std::string label, const std::string& text, Tone tone = Tone::dim) {
  const int columns = shape.columns - (label.empty() ? 0 : label_width);
  if (columns < 8) return {"", cut_to(one_line(text), shape.columns, mark(shape)), tone};
  return {std::move(label), cut_to(one_line(text), columns, mark(shape)), tone};
}

/// The first that fits; else the last, cut.
std::string fitting(const std::vector<std::string>& variants, int columns) {
  const auto it =
      std::ranges::find_if(variants, [&](const std::string& text) { return display_width(text) <= columns; });
  return it == variants.end() ? variants.back() : *it;
}

/// The sums, in as many words as there is room for.
std::string sums(const CampaignProgress& progress, const BlockShape& shape) {
  const std::string_view d = shape.utf8 ? " · " : "  ";
  const std::string elapsed = clock_text(progress.elapsed_s);
  const std::string left = time_left_text(progress.time_left);
  const std::string times = left.empty() ? elapsed : fmt::format("{}, {}", elapsed, left);
  const std::string counts = counts_text(progress);
  const NodeHours& hours = progress.node_hours;
  const std::string spent = node_hours_number(hours.spent);
  std::string brief = fmt::format("{}/{}", progress.done, progress.cases);
  if (progress.failed > 0) brief += fmt::format(", {} failed", progress.failed);
  brief += fmt::format(", {} running, {} waiting", progress.running.size(), progress.waiting);
  const std::string rest = hours.left > 0
                               ? fmt::format("{} {} left", hours.at_most ? "at most about" : "about",
                                             node_hours_number(hours.left))
                               : std::string("? left");
  return fitting(
      {fmt::format("{}{}{}{}{} node-hours spent, {}", counts, d, times, d, spent, hours_left_text(hours)),
       fmt::format("{}{}{}{}{} node-hours spent, {}", counts, d, times, d, spent, rest),
       fmt::format("{}{}{}{}{} node-hours, {}", brief, d, times, d, spent, rest),
       fmt::format("{}{}{}{}{} node-h, {}", brief, d, elapsed, d, spent, rest),
       fmt::format("{}{}{}{}{} node-h", brief, d, elapsed, d, spent),
       fmt::format("{}{}{}", brief, d, elapsed)},
      shape.columns);
}

/// `━━━━━━──── `: as much of the predicted time as has passed; never more than full.
std::string bar(double share, bool utf8) {
  const int full = std::clamp(static_cast<int>(share * bar_width), 0, bar_width);
  std::string text;
  for (int i = 0; i < bar_width; ++i) text += i < full ? (utf8 ? "━" : "#") : (utf8 ? "─" : "-");
  return text;
}

/// What is expected of a case that runs.
std::string expectation(const RunningCase& running, bool utf8) {
  if (const std::string past = past_text(running); !past.empty()) return past;
  if (running.predicted_s > 0)
    return fmt::format("{} of about {}", bar(running.elapsed_s / running.predicted_s, utf8),
                       clock_text(running.predicted_s));
  if (running.time_limit_s > 0) return fmt::format("of at most {}", clock_text(running.time_limit_s));
  return "";
}

/// How wide the columns of the running cases are.
struct Columns {
  int number = 0;
  int name = 0;
  int elapsed = 0;
};

std::string place(const RunningCase& running, int of) {
  return fmt::format("{}/{}", running.number, of);
}

std::string running_text(const RunningCase& running, int of, const Columns& wide, const BlockShape& shape) {
  const std::string number = place(running, of);
  std::string text = std::string(static_cast<std::size_t>(wide.number) - number.size(), ' ') + number + " " +
                     padded_to(cut_to(running.id, wide.name, mark(shape)), wide.name) +
                     fmt::format("  {:>{}}", clock_text(running.elapsed_s), wide.elapsed);
  if (const std::string expected = expectation(running, shape.utf8); !expected.empty())
    text += "  " + expected;
  if (running.attempt > 1) text += fmt::format("  attempt {}", running.attempt);
  if (!running.hosts.empty()) text += "  on " + running.hosts;
  if (!running.job.empty() && !running.job.starts_with("pid ")) text += fmt::format(" (job {})", running.job);
  return text;
}

/// `shown` of `all` lines, the last of them saying how many more there are where they are not all.
std::size_t whole_lines(std::size_t all, std::size_t shown) {
  return all <= shown ? all : shown > 0 ? shown - 1 : 0;
}

}  // namespace

std::vector<BlockLine> progress_block(const CampaignProgress& progress, const BlockShape& shape) {
  std::vector<BlockLine> lines;
  const auto rows = static_cast<std::size_t>(std::max(1, shape.rows));
  lines.push_back({"", cut_to(sums(progress, shape), shape.columns, mark(shape)), Tone::plain});
  std::size_t room = rows - 1;
  const std::string stop = progress.at_once ? "stopping" : "stopping; Ctrl-C once more kills it at once";
  const bool stopping = progress.stopping && room > 0;
  if (stopping) --room;

  const std::size_t runs = progress.running.size();
  const std::size_t waits = progress.waits.size();
  // A third is left to those that wait, and more where fewer run.
  const std::size_t for_waits = std::min(waits, std::max((room + 2) / 3, room - std::min(room, runs)));
  const std::size_t for_runs = std::min(runs, room - for_waits);

  const std::size_t whole = whole_lines(runs, for_runs);
  Columns wide;
  for (std::size_t i = 0; i < whole; ++i) {
    const RunningCase& running = progress.running[i];
    wide.number = std::max(wide.number, static_cast<int>(place(running, progress.cases).size()));
    wide.name = std::max(wide.name, std::min(longest_name, display_width(running.id)));
    wide.elapsed = std::max(wide.elapsed, static_cast<int>(clock_text(running.elapsed_s).size()));
  }
  for (std::size_t i = 0; i < whole; ++i) {
    const RunningCase& running = progress.running[i];
    const bool past = running.past_s() > 0;
    lines.push_back(line(shape, progress.stopping ? "[STOP ]" : "[ RUN ]",
                         running_text(running, progress.cases, wide, shape), past ? Tone::bad : Tone::dim));
  }
  if (whole < for_runs)
    lines.push_back(line(shape, "       ", fmt::format("and {} more running", runs - whole)));

  const std::size_t whole_waits = whole_lines(waits, for_waits);
  for (std::size_t i = 0; i < whole_waits; ++i)
    lines.push_back(line(shape, "[ WAIT]", waiting_text(progress.waits[i])));
  if (whole_waits < for_waits) {
    int more = 0;
    for (std::size_t i = whole_waits; i < waits; ++i) more += progress.waits[i].cases;
    lines.push_back(line(shape, "       ", fmt::format("and {} more waiting", more)));
  }
  if (stopping) lines.push_back(line(shape, "", stop, Tone::bad));
  return lines;
}

}  // namespace shakedown
