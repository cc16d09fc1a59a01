#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/host_number.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// A name while it is folded from its end: `tail` is done, `head` may still hold numbers.
struct FoldedPart {
  std::string head;
  std::string tail;
};

/// The numbers as the inside of a bracket, or as they are when there is one.
std::string folded_numbers(const std::vector<std::string>& numbers) {
  std::vector<std::string> sorted = numbers;
  std::sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
    return std::pair(value_of(a), a.size()) < std::pair(value_of(b), b.size());
  });
  std::unordered_set<std::string> left(sorted.begin(), sorted.end());
  std::vector<std::string> pieces;
  for (const std::string& first : sorted) {
    if (left.erase(first) == 0) continue;
    const size_t width = padding_of(first);
    std::uint64_t value = value_of(first);
    while (left.erase(padded(value + 1, width)) == 1) ++value;
    pieces.push_back(padded(value, width) == first ? first
                                                   : fmt::format("{}-{}", first, padded(value, width)));
  }
  if (numbers.size() == 1) return pieces.front();
  return fmt::format("[{}]", joined(pieces, ","));
}

/// Folds the last number of every head that has one: names that differ in nothing else become one.
std::vector<FoldedPart> folded_once(const std::vector<FoldedPart>& parts, bool& any) {
  struct Family {
    std::string prefix, tail;
    std::vector<std::string> numbers;  // empty: the head has none
  };
  std::vector<Family> families;
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (const FoldedPart& part : parts) {
    const LastNumber split = last_number(part.head);
    if (split.digits.empty()) {
      families.push_back({part.head, part.tail, {}});
      continue;
    }
    any = true;
    const std::string prefix(split.before);
    const std::string tail = std::string(split.after) + part.tail;
    const auto [it, fresh] = known.try_emplace({prefix, tail}, families.size());
    if (fresh) families.push_back({prefix, tail, {}});
    families[it->second].numbers.emplace_back(split.digits);
  }
  std::vector<FoldedPart> folded;
  folded.reserve(families.size());
  for (const Family& family : families) {
    if (family.numbers.empty())
      folded.push_back({family.prefix, family.tail});
    else
      folded.push_back({family.prefix, folded_numbers(family.numbers) + family.tail});
  }
  return folded;
}

/// Makes the number at [begin, end) of the name one larger; its width is kept where it can be.
void count_up(std::string& host, size_t begin, size_t end) {
  while (end > begin) {
    char& digit = host[--end];
    if (digit != '9') {
      ++digit;
      return;
    }
    digit = '0';
  }
  host.insert(begin, 1, '1');
}

/// The hostlist of hosts that differ in their last number only and come in its order, as an inventory's do;
/// empty: these don't. It is what the general way gives, without a look-up for each host.
std::string folded_in_order(std::span<const std::string> hosts) {
  if (hosts.empty()) return {};
  const LastNumber family = last_number(hosts.front());
  std::vector<std::string> pieces;
  size_t i = 0;
  std::uint64_t last = 0;
  while (i < hosts.size()) {
    const LastNumber first = last_number(hosts[i]);
    if (first.digits.empty() || first.before != family.before || first.after != family.after) return {};
    if (i > 0 && value_of(first.digits) <= last) return {};
    // The run of hosts from this one on without a gap.
    std::string next = hosts[i];
    const size_t around = first.before.size() + first.after.size();
    const size_t start = i;
    while (i < hosts.size() && hosts[i] == next && next.size() - around <= most_digits) {
      ++i;
      count_up(next, first.before.size(), next.size() - first.after.size());
    }
    const std::string_view to = last_number(hosts[i - 1]).digits;
    last = value_of(to);
    pieces.push_back(i - start == 1 ? std::string(to) : fmt::format("{}-{}", first.digits, to));
  }
  const bool one = hosts.size() == 1;
  return fmt::format("{}{}{}{}{}", family.before, one ? "" : "[", joined(pieces, ","), one ? "" : "]",
                     family.after);
}

}  // namespace

std::string folded_hostlist(std::span<const std::string> hosts) {
  if (std::string folded = folded_in_order(hosts); !folded.empty()) return folded;
  std::vector<FoldedPart> parts;
  std::unordered_set<std::string_view> seen;
  for (const std::string& host : hosts)
    if (seen.insert(host).second) parts.push_back({host, ""});
  for (bool any = true; any;) {
    any = false;
    parts = folded_once(parts, any);
  }
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const FoldedPart& part : parts) names.push_back(part.head + part.tail);
  return joined(names, ",");
}

}  // namespace shakedown
