#include "parsers/mlperf/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsers/mlperf/keys.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr size_t most_seeds = 64;
constexpr size_t most_pairs = 4096;
constexpr size_t most_text = 200;

void widen(std::optional<double>& least, std::optional<double>& most, double value) {
  least = std::min(least.value_or(value), value);
  most = std::max(most.value_or(value), value);
}

std::optional<MlperfMoment> moment(const MlperfEvent& event, int line) {
  if (!event.time_ms) return std::nullopt;
  return MlperfMoment{*event.time_ms, line};
}

/// Keeps the first; one at another time goes to `other`. Loggers repeat a line, and its time with it.
void keep_first(std::optional<MlperfMoment>& first, std::optional<MlperfMoment>* other,
                std::optional<MlperfMoment> found) {
  if (!found) return;
  if (!first)
    first = found;
  else if (other != nullptr && !*other && found->ms != first->ms)
    *other = found;
}

}  // namespace

std::optional<double> MlperfEvaluation::value(std::string_view name) const {
  for (const auto& [known, held] : values)
    if (known == name) return held;
  return std::nullopt;
}

void MlperfEvaluations::add(const MlperfEvent& event, int line) {
  MlperfEvaluation now;
  now.position = event.position;
  now.printed = event.value.substr(0, most_text);
  now.time = moment(event, line);
  now.line = line;
  if (event.number) now.values.emplace_back(std::string(event.metric), *event.number);
  for (const auto& member : event.members) now.values.push_back(member);
  if (count > 0)
    if (const auto earlier = last.value("")) {
      widen(least_earlier, most_earlier, *earlier);
      const auto value = now.value("");
      if (repeated_line == 0 && value && *value != *earlier && now.position && now.position == last.position)
        repeated_line = line;
    }
  if (now.position) {
    const double at = *now.position;
    if (!first_position) first_position = at;
    if (last.position && at != *last.position) widen(least_interval, most_interval, at - *last.position);
    if (std::floor(at) == at && std::abs(at) < 9e15)
      position_unit = static_cast<double>(
          std::gcd(static_cast<std::int64_t>(position_unit), static_cast<std::int64_t>(at)));
    else
      whole = false;
  }
  ++count;
  if (!event.metric.empty() && event.position &&
      (pairs.size() < most_pairs || pairs.contains(*event.position))) {
    MlperfEvaluation& pair = pairs[*event.position];
    if (pair.values.empty())
      pair = now;
    else
      for (const auto& value : now.values)
        if (!pair.value(value.first)) pair.values.push_back(value);
    now.values = pair.values;
  }
  last = std::move(now);
}

void MlperfRun::count(std::string_view key) {
  ++events;
  if (key == "cache_clear") ++cache_clears;
}

void MlperfRun::mark(const MlperfEvent& event, int line) {
  const auto now = moment(event, line);
  if (event.key == "run_start") return keep_first(start, &other_start, now);
  if (event.key == "init_stop") return keep_first(init_stop, nullptr, now);
  if (event.key == "init_start") {
    ++init_starts;
    if (now && (!first_init_start || now->ms < first_init_start->ms)) first_init_start = now;
    return;
  }
  keep_first(stop, &other_stop, now);
  if (!stopped_at) stopped_at = event.position;
  if (stop_value.empty() && event.kind == MlperfEvent::Kind::number)
    stop_value = event.value.substr(0, most_text);
  const std::string_view said = event.status.substr(0, most_text);
  if (status.empty())
    status = said;
  else if (!said.empty() && said != status && other_status.empty())
    other_status = said;
}

/// Blocks follow each other; evaluations lie between them.
void MlperfRun::add_block(const MlperfEvent& event, int line) {
  const auto now = moment(event, line);
  const bool starts = event.key == "block_start";
  if (stop || !now || (!starts && event.key != "block_stop")) return;
  blocks_nest = blocks_nest || starts == open_block.has_value();
  if (starts) {
    open_block = now;
  } else if (open_block) {
    block_ms += now->ms - open_block->ms;
    ++blocks;
    open_block.reset();
  }
}

void MlperfRun::add(const MlperfEvent& event, int line) {
  ++events;
  // Settings may be logged without a time, as 0.
  const MlperfUse use = mlperf_use(event.key);
  const bool timed = use == MlperfUse::mark || use == MlperfUse::work || use == MlperfUse::quality;
  const bool run = event.key == "run_start" || event.key == "run_stop";
  if (const auto now = moment(event, line); now && timed && (run || now->ms != 0)) {
    if (!earliest || now->ms < earliest->ms) earliest = now;
    if (!latest || now->ms > latest->ms) latest = now;
  }
  if (version.empty()) version = event.version;
  if (!event.benchmark.empty() && !settings.contains("submission_benchmark"))
    settings["submission_benchmark"] = {std::string(event.benchmark.substr(0, most_text)), line, 1, {}};
  switch (use) {
    case MlperfUse::none:
    case MlperfUse::count:
      if (event.key == "cache_clear") ++cache_clears;
      break;
    case MlperfUse::work:
      if (start && !first_work) first_work = moment(event, line);
      if (start) add_block(event, line);
      break;
    case MlperfUse::setting: {
      const std::string_view value = event.value.substr(0, most_text);
      MlperfSetting& setting = settings[std::string(event.key)];
      if (++setting.count == 1) {
        setting.value = value;
        setting.line = line;
      } else if (setting.value != value && setting.other.empty()) {
        setting.other = value;
      }
      break;
    }
    case MlperfUse::mark:
      mark(event, line);
      break;
    case MlperfUse::seed: {
      ++seed_lines;
      const bool known = std::any_of(seeds.begin(), seeds.end(),
                                     [&](const auto& seed) { return seed.first == event.value; });
      if (!known && seeds.size() < most_seeds) seeds.emplace_back(event.value.substr(0, most_text), line);
      break;
    }
    case MlperfUse::quality:
      if (!stop) evaluations.add(event, line);
      break;
    case MlperfUse::rate:
      for (const auto& [name, value] : event.members) {
        if (name == "gflops" && value > 0 && stop) gflops_after_stop = Rate{value, line};
        if (name != "throughput" || value <= 0) continue;
        (stop ? rate_after_stop : last_rate) = Rate{value, line};
        if (!stop && (!largest_rate || value > largest_rate->value)) largest_rate = last_rate;
      }
      break;
  }
}

void MlperfRun::append(const MlperfRun& later) {
  events += later.events;
  cache_clears += later.cache_clears;
  last_line = std::max(last_line, later.last_line);
  for (const auto& [key, setting] : later.settings) {
    MlperfSetting& mine = settings[key];
    if (mine.count == 0) {
      mine = setting;
      continue;
    }
    mine.count += setting.count;
    if (mine.value != setting.value && mine.other.empty()) mine.other = setting.value;
  }
  seed_lines += later.seed_lines;
  for (const auto& seed : later.seeds) {
    const bool known =
        std::any_of(seeds.begin(), seeds.end(), [&](const auto& mine) { return mine.first == seed.first; });
    if (!known && seeds.size() < most_seeds) seeds.push_back(seed);
  }
  cut_lines += later.cut_lines;
  if (first_cut == 0) first_cut = later.first_cut;
}

const MlperfSetting* MlperfRun::setting(std::string_view key) const {
  const auto it = settings.find(key);
  return it == settings.end() ? nullptr : &it->second;
}

std::string MlperfRun::setting_text(std::string_view key) const {
  const MlperfSetting* found = setting(key);
  return found == nullptr ? "" : found->value;
}

std::optional<double> MlperfRun::setting_number(std::string_view key) const {
  const MlperfSetting* found = setting(key);
  return found == nullptr ? std::nullopt : finite_number(found->value);
}

}  // namespace shakedown
