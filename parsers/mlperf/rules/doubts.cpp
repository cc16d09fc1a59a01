#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "parsers/mlperf/rules/set.hpp"

namespace shakedown {
namespace {

constexpr size_t most = 10;  ///< sentences of a kind
constexpr size_t most_compared =
    1000;  ///< runs of a set that are compared each with each; of more, neighbours

void say(std::vector<std::string>& sentences, std::string sentence) {
  if (sentences.size() < most) sentences.push_back(std::move(sentence));
}

std::string final_quality(const MlperfSetRun& run) {
  const Fact* printed = run.source->result.fact("final_quality_printed");
  return printed == nullptr ? "" : printed->value;
}

/// Whether all that the log tells of its evaluations is the same, in more digits than chance repeats.
bool same_evaluations(const MlperfSetRun& a, const MlperfSetRun& b) {
  constexpr std::ptrdiff_t enough_digits = 8;
  const std::string quality = final_quality(a);
  if (std::count_if(quality.begin(), quality.end(), [](char c) { return c >= '0' && c <= '9'; }) <
      enough_digits)
    return false;
  for (const char* name : {"final_quality_printed", "evaluations", "least_earlier_quality",
                           "most_earlier_quality", "first_position", "last_position"}) {
    const Fact* of_a = a.source->result.fact(name);
    const Fact* of_b = b.source->result.fact(name);
    if ((of_a == nullptr) != (of_b == nullptr) || (of_a != nullptr && of_a->value != of_b->value))
      return false;
  }
  return true;
}

struct Overlaps {
  int pairs = 0;
  std::string first;
};

void compare(const MlperfSetRun& a, const MlperfSetRun& b, MlperfDoubts& found, Overlaps& overlaps) {
  if (!a.start || !b.start) return;
  const bool same_end = a.stop == b.stop;
  if (*a.start == *b.start && same_end) {
    say(found.copies,
        fmt::format("{} and {} are logs of one run: they start and stop at the same millisecond", a.name,
                    b.name));
    return;
  }
  if (!a.stop || !b.stop) return;
  const bool same_length = *a.stop - *a.start == *b.stop - *b.start;
  if (same_length && !final_quality(a).empty() && final_quality(a) == final_quality(b)) {
    say(found.copies,
        fmt::format("{} and {} took the same {:.0f} ms to the same {}: one is a copy of the other", a.name,
                    b.name, *a.stop - *a.start, final_quality(a)));
    return;
  }
  if (same_evaluations(a, b)) {
    say(found.copies,
        fmt::format("{} and {} have the same evaluations to the last digit, {}: one is a copy of "
                    "the other",
                    a.name, b.name, final_quality(a)));
    return;
  }
  if (std::max(*a.start, *b.start) >= std::min(*a.stop, *b.stop)) return;
  if (overlaps.pairs++ == 0) overlaps.first = fmt::format("{} and {}", a.name, b.name);
}

}  // namespace

MlperfDoubts doubts(const MlperfSet& set) {
  MlperfDoubts found;
  Overlaps overlaps;
  const size_t reach = set.runs.size() <= most_compared ? set.runs.size() : most_compared / 20;
  for (size_t i = 0; i < set.runs.size(); ++i)
    for (size_t j = i + 1; j < std::min(set.runs.size(), i + 1 + reach); ++j)
      compare(set.runs[i], set.runs[j], found, overlaps);
  if (overlaps.pairs > 0)
    found.overlap = fmt::format("{} {} of runs {} in time, {} first: these can't have had the same nodes",
                                overlaps.pairs, overlaps.pairs == 1 ? "pair" : "pairs",
                                overlaps.pairs == 1 ? "overlaps" : "overlap", overlaps.first);
  std::map<std::string, const MlperfSetRun*> owners;
  for (const MlperfSetRun& run : set.runs)
    for (const Fact& fact : run.source->result.facts) {
      if (fact.name != "seed") continue;
      const auto [owner, fresh] = owners.emplace(fact.value, &run);
      if (!fresh && owner->second != &run)
        say(found.seeds,
            fmt::format("{} and {} have the same seed {}", owner->second->name, run.name, fact.value));
    }
  return found;
}

}  // namespace shakedown
