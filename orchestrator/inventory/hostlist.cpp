#include "orchestrator/inventory/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "orchestrator/inventory/host_number.hpp"

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

  /// Adds the hosts whose beginning is in `host_` and whose remainder the pieces from `index` on say.
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

}  // namespace shakedown
