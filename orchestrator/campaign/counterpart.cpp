#include "orchestrator/campaign/counterpart.hpp"

#include <algorithm>
#include <tuple>

namespace shakedown {
namespace {

auto key_of(const Case& planned) {
  return std::tie(planned.suite, planned.implementation, planned.benchmark, planned.stage, planned.repetition,
                  planned.bound);
}

/// The case that was planned at first: it took nobody's place.
std::size_t original(std::span<const CaseRecord> cases, std::size_t place) {
  for (std::size_t steps = 0; steps < cases.size() && !cases[place].planned.stands_for.empty(); ++steps) {
    const auto before =
        std::ranges::find(cases, cases[place].planned.stands_for,
                          [](const CaseRecord& record) -> const std::string& { return record.planned.id; });
    if (before == cases.end()) break;
    place = static_cast<std::size_t>(before - cases.begin());
  }
  return place;
}

}  // namespace

const Case* counterpart(std::span<const CaseRecord> cases, std::size_t place, std::span<const Case> fresh) {
  const std::size_t first = original(cases, place);
  const auto like = [&](const Case& each) { return key_of(each) == key_of(cases[first].planned); };
  auto ordinal = std::ranges::count_if(cases.first(first), [&](const CaseRecord& record) {
    return record.planned.stands_for.empty() && like(record.planned);
  });
  for (const Case& each : fresh)
    if (like(each) && ordinal-- == 0) return &each;
  return nullptr;
}

}  // namespace shakedown
