#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A whole line (a JSON object) of a chained file, one in which each line names the SHA-256 of the one before
/// as its last member, `prev`. A crash or a full disk can leave a cut line behind it, which is no object: the
/// next line's `prev` is then the SHA-256 of both together, so that nothing is unbound.
struct ChainLink {
  int number = 1;          ///< of the line, from 1
  std::string_view text;   ///< without its newline
  std::string_view bytes;  ///< what the next line's `prev` is the SHA-256 of
};

/// What the first line of a workspace's list names; a journal's first line, the commitment, names nothing.
inline constexpr std::string_view chain_origin =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// The whole lines of a text, in their order. Cut lines before the first belong to a link of number 0.
std::vector<ChainLink> chain_links(std::string_view text);

/// The end of a chained file: what the next line must name.
struct ChainEnd {
  std::int64_t bytes = 0;  ///< of the file
  std::string sha256;      ///< `prev` of the next line; empty: there is no line
  bool cut = false;        ///< the last line lacks its newline, which `sha256` counts already
};
ChainEnd chain_end(std::string_view text);
ChainEnd chain_end(std::string_view text, const std::vector<ChainLink>& links);

/// A line with `prev` as its last member; without one where `prev` is empty. `line` is a JSON object.
std::string chained_line(std::string_view line, std::string_view prev);

/// What a line states in `prev`; empty: nothing.
std::string stated_prev(std::string_view line);

/// Where a chained file is not what was appended to it, line by line.
struct ChainFault {
  int line = 1;
  std::string what;  ///< "does not follow line 4: ..."
};
/// `older`: the first lines may be those of a version that chained none.
std::vector<ChainFault> chain_faults(std::string_view text, bool older = false);
std::vector<ChainFault> chain_faults(const std::vector<ChainLink>& links, bool older = false);

}  // namespace shakedown
