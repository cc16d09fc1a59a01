#include "orchestrator/inventory/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::uint64_t most_hosts = 1'000'000;
constexpr size_t most_digits = 15;  // a number of a host name fits 64 bits with room

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
constexpr bool is_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

std::uint64_t value_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

/// Digits that stand for a zero-padded number have its width; any other number has none.
size_t padding_of(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0' ? digits.size() : 0;
}

std::string padded(std::uint64_t value, size_t width) {
  return fmt::format("{:0{}}", value, width);
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

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> hosts() {
    skip_space();
    if (done()) return fail("", "the hostlist is empty", example);
    while (true) {
      const size_t start = at_;
      const auto pieces = name();
      if (!pieces) return pass_on(pieces);
      if (auto ok = add(*pieces, start); !ok) return pass_on(ok);
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
        if (!bracket) return pass_on(bracket);
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
      if (!range) return pass_on(range);
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
    if (!first) return pass_on(first);
    const size_t width = padding_of(*first);
    Range range{value_of(*first), value_of(*first), width};
    if (done() || text_[at_] != '-') return range;
    ++at_;
    const auto last = digits();
    if (!last) return pass_on(last);
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
    return add_from(pieces, 0, {}, start);
  }

  Result<void> add_from(const std::vector<Piece>& pieces, size_t index, const std::string& head,
                        size_t start) {
    if (index == pieces.size()) {
      if (!seen_.insert(head).second) return wrong_at(start, fmt::format("host '{}' is listed twice", head));
      hosts_.push_back(head);
      return {};
    }
    const Piece& piece = pieces[index];
    if (piece.ranges.empty()) return add_from(pieces, index + 1, head + piece.text, start);
    for (const Range& range : piece.ranges)
      for (std::uint64_t value = range.first; value <= range.last; ++value)
        if (auto ok = add_from(pieces, index + 1, head + padded(value, range.width), start); !ok) return ok;
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> hosts_;
  std::unordered_set<std::string> seen_;
};

/// A name while it is folded from its end: `tail` is done, `head` may still hold numbers.
struct Part {
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
std::vector<Part> folded_once(const std::vector<Part>& parts, bool& any) {
  struct Family {
    std::string prefix, tail;
    std::vector<std::string> numbers;  // empty: the head has none
  };
  std::vector<Family> families;
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (const Part& part : parts) {
    size_t end = part.head.size();
    while (end > 0 && !is_digit(part.head[end - 1])) --end;
    size_t begin = end;
    while (begin > 0 && is_digit(part.head[begin - 1]) && end - begin < most_digits) --begin;
    if (end == 0) {
      families.push_back({part.head, part.tail, {}});
      continue;
    }
    any = true;
    const std::string prefix = part.head.substr(0, begin);
    const std::string tail = part.head.substr(end) + part.tail;
    const auto [it, fresh] = known.try_emplace({prefix, tail}, families.size());
    if (fresh) families.push_back({prefix, tail, {}});
    families[it->second].numbers.push_back(part.head.substr(begin, end - begin));
  }
  std::vector<Part> folded;
  folded.reserve(families.size());
  for (const Family& family : families) {
    if (family.numbers.empty())
      folded.push_back({family.prefix, family.tail});
    else
      folded.push_back({family.prefix, folded_numbers(family.numbers) + family.tail});
  }
  return folded;
}

}  // namespace

Result<std::vector<std::string>> expanded_hostlist(std::string_view text) {
  return Reader(text).hosts();
}

std::string folded_hostlist(std::span<const std::string> hosts) {
  std::vector<Part> parts;
  std::unordered_set<std::string_view> seen;
  for (const std::string& host : hosts)
    if (seen.insert(host).second) parts.push_back({host, ""});
  for (bool any = true; any;) {
    any = false;
    parts = folded_once(parts, any);
  }
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const Part& part : parts) names.push_back(part.head + part.tail);
  return joined(names, ",");
}

}  // namespace shakedown
