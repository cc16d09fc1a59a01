#include "orchestrator/inventory/hostlist.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::uint64_t most_hosts = 1'000'000;

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
constexpr bool is_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  size_t width = 0;
};

/// A name's pieces: fixed text, or the ranges of one bracket.
struct Piece {
  std::string text;
  std::vector<Range> ranges;
};

/// Whether no two hosts of the name can be equal, since they differ in one number that only grows.
bool all_differ(const std::vector<Piece>& pieces) {
  const Piece* bracket = nullptr;
  for (const Piece& piece : pieces) {
    if (piece.ranges.empty()) continue;
    if (bracket != nullptr) return false;
    bracket = &piece;
  }
  return bracket == nullptr ||
         std::ranges::adjacent_find(bracket->ranges, [](const Range& a, const Range& b) {
           return b.first <= a.last;
         }) == bracket->ranges.end();
}

class HostlistReader {
 public:
  explicit HostlistReader(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> hosts() {
    skip_space();
    if (done()) return fail("", "the hostlist is empty", example);
    while (true) {
      const size_t start = at_;
      const auto pieces = name();
      if (!pieces) return failure_of(pieces);
      if (auto ok = add(*pieces, start); !ok) return failure_of(ok);
      skip_space();
      if (done()) return std::move(hosts_);
      if (text_[at_] != ',') return wrong(fmt::format("expected ',', found '{}'", text_[at_]));
      ++at_;
      skip_space();
    }
  }

 private:
  static constexpr const char* example = "write hosts as cn[001-098,100],login1";

  [[nodiscard]] bool done() const { return at_ == text_.size(); }
  void skip_space() {
    while (!done() && is_space(text_[at_])) ++at_;
  }
  [[nodiscard]] tl::unexpected<Error> wrong_at(size_t at, const std::string& what) const {
    return fail("", fmt::format("hostlist '{}': {} at character {}", text_, what, at + 1), example);
  }
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& what) const { return wrong_at(at_, what); }

  Result<std::vector<Piece>> name() {
    std::vector<Piece> pieces;
    // A leading '-' would be an option to every program that is given the host.
    if (!done() && text_[at_] == '-') return wrong("a host name can't begin with '-'");
    while (!done()) {
      const size_t start = at_;
      while (!done() && is_name(text_[at_])) ++at_;
      if (at_ > start) {
        pieces.push_back({std::string(text_.substr(start, at_ - start)), {}});
      } else if (text_[at_] == '[') {
        auto bracket = ranges();
        if (!bracket) return failure_of(bracket);
        pieces.push_back({{}, std::move(*bracket)});
      } else {
        break;
      }
    }
    if (!pieces.empty()) return pieces;
    if (done()) return wrong("expected a host name, found the end");
    return wrong(fmt::format("expected a host name, found '{}'", text_[at_]));
  }

  Result<std::vector<Range>> ranges() {
    const size_t open = at_++;
    std::vector<Range> found;
    while (true) {
      skip_space();
      auto range = this->range();
      if (!range) return failure_of(range);
      found.push_back(*range);
      skip_space();
      if (done()) return wrong_at(open, "'[' is never closed");
      const char c = text_[at_];
      if (c != ',' && c != ']') return wrong(fmt::format("expected ',' or ']', found '{}'", c));
      ++at_;
      if (c == ']') return found;
    }
  }

  Result<std::string_view> digits() {
    const size_t start = at_;
    while (!done() && is_digit(text_[at_])) ++at_;
    if (at_ == start) return wrong("expected a number");
    if (at_ - start > most_digits)
      return wrong_at(start, fmt::format("a number of more than {} digits", most_digits));
    return text_.substr(start, at_ - start);
  }

  Result<Range> range() {
    const size_t start = at_;
    const auto first = digits();
    if (!first) return failure_of(first);
    const size_t width = padding_of(*first);
    Range range{value_of(*first), value_of(*first), width};
    if (done() || text_[at_] != '-') return range;
    ++at_;
    const auto last = digits();
    if (!last) return failure_of(last);
    range.last = value_of(*last);
    const std::string spelled(text_.substr(start, at_ - start));
    if (range.last < range.first) return wrong_at(start, fmt::format("range {} runs backwards", spelled));
    if (padded(range.last, width) != *last)
      return wrong_at(start, fmt::format("the ends of range {} are padded differently", spelled));
    return range;
  }

  Result<void> add(const std::vector<Piece>& pieces, size_t start) {
    std::uint64_t count = 1;
    for (const Piece& piece : pieces) {
      if (piece.ranges.empty()) continue;
      std::uint64_t sum = 0;
      for (const Range& range : piece.ranges) sum += std::min(range.last - range.first, most_hosts) + 1;
      count = std::min(count, most_hosts + 1) * std::min(sum, most_hosts + 1);
    }
    if (count + hosts_.size() > most_hosts)
      return wrong_at(start, fmt::format("more than {} hosts", most_hosts));
    if (hosts_.empty()) hosts_.reserve(count);
    if (hosts_.empty() && all_differ(pieces)) return add_from(pieces, 0, start);
    if (!looks_) seen_.insert(hosts_.begin(), hosts_.end());
    looks_ = true;
    return add_from(pieces, 0, start);
  }

  /// Adds the hosts that begin with `host_` and continue with the pieces from `index` on.
  Result<void> add_from(const std::vector<Piece>& pieces, size_t index, size_t start) {
    if (index == pieces.size()) {
      if (looks_ && !seen_.insert(host_).second)
        return wrong_at(start, fmt::format("host '{}' is listed twice", host_));
      hosts_.push_back(host_);
      return {};
    }
    const Piece& piece = pieces[index];
    const size_t before = host_.size();
    host_ += piece.text;
    if (piece.ranges.empty())
      if (auto ok = add_from(pieces, index + 1, start); !ok) return ok;
    for (const Range& range : piece.ranges)
      for (std::uint64_t value = range.first; value <= range.last; ++value) {
        append_padded(host_, value, range.width);
        if (auto ok = add_from(pieces, index + 1, start); !ok) return ok;
        host_.resize(before);
      }
    host_.resize(before);
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> hosts_;
  std::string host_;
  bool looks_ = false;  ///< for doubled hosts; the first name's often can't be
  std::unordered_set<std::string> seen_;
};

}  // namespace

Result<std::vector<std::string>> expanded_hostlist(std::string_view text) {
  return HostlistReader(text).hosts();
}

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

/// Adds one to the number at [begin, end) of the name; preserves its width where possible.
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
