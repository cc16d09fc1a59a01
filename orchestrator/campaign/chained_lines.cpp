#include "orchestrator/campaign/chained_lines.hpp"

#include <fmt/format.h>
#include <map>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"

namespace shakedown {
namespace {

bool is_whole(std::string_view line) {
  return line.starts_with('{') && line.ends_with('}') && is_json(line);
}

/// The next line of `rest`, which loses it.
std::string_view taken_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

}  // namespace

std::vector<ChainLink> chain_links(std::string_view text) {
  std::vector<ChainLink> links;
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const char* begin = rest.data();
    const std::string_view line = taken_line(rest);
    const auto end = static_cast<std::size_t>(rest.data() - text.data());
    if (is_whole(line))
      links.push_back({number, line, {}});
    else if (links.empty())
      links.push_back({0, {}, {}});
    ChainLink& link = links.back();
    const char* from = link.bytes.empty() ? begin : link.bytes.data();
    link.bytes = text.substr(static_cast<std::size_t>(from - text.data()),
                             end - static_cast<std::size_t>(from - text.data()));
  }
  return links;
}

ChainEnd chain_end(std::string_view text) {
  return chain_end(text, chain_links(text));
}

ChainEnd chain_end(std::string_view text, const std::vector<ChainLink>& links) {
  ChainEnd end;
  end.bytes = static_cast<std::int64_t>(text.size());
  if (links.empty()) return end;
  end.cut = text.back() != '\n';
  end.sha256 = sha256(std::string(links.back().bytes) + (end.cut ? "\n" : ""));
  return end;
}

std::string chained_line(std::string_view line, std::string_view prev) {
  if (prev.empty() || !line.ends_with('}')) return std::string(line);
  line.remove_suffix(1);
  return fmt::format("{}{}\"prev\":\"{}\"}}", line, line == "{" ? "" : ",", prev);
}

std::string stated_prev(std::string_view line) {
  // The last member, as `chained_line` writes it: a member of that name elsewhere is not ours.
  constexpr std::string_view mark = ",\"prev\":\"";
  constexpr std::size_t digits = 64;
  constexpr std::string_view end = "\"}";
  if (line.size() < mark.size() + digits + end.size() || !line.ends_with(end)) return "";
  const std::string_view member = line.substr(line.size() - mark.size() - digits - end.size());
  return member.starts_with(mark) ? std::string(member.substr(mark.size(), digits)) : "";
}

std::vector<ChainFault> chain_faults(std::string_view text, bool older) {
  return chain_faults(chain_links(text), older);
}

std::vector<ChainFault> chain_faults(const std::vector<ChainLink>& links, bool older) {
  std::vector<ChainFault> faults;
  std::map<std::string, int> lines;  // by what the next one must name
  for (std::size_t i = 0; i < links.size(); ++i) {
    const ChainLink& link = links[i];
    const std::string stated = stated_prev(link.text);
    older = older && stated.empty();
    const std::string before = i > 0 ? sha256(links[i - 1].bytes) : stated == chain_origin ? stated : "";
    if (i > 0) lines.emplace(before, links[i - 1].number);
    if (link.number == 0 || older || stated == before) continue;
    const std::string above = i == 0 ? "" : fmt::format("line {}", links[i - 1].number);
    if (i == 0)
      faults.push_back({link.number, "follows a line that is not there: lines were cut off before it"});
    else if (stated.empty())
      faults.push_back(
          {link.number, fmt::format("does not name the SHA-256 of {} (member prev): it was edited "
                                    "or inserted",
                                    above)});
    else if (const auto other = lines.find(stated); other != lines.end())
      faults.push_back({link.number, fmt::format("follows line {}, not {}: lines were inserted or moved",
                                                 other->second, above)});
    else
      faults.push_back(
          {link.number,
           fmt::format(
               "does not follow {}: that line was edited, or lines between the two were deleted or moved",
               above)});
  }
  return faults;
}

}  // namespace shakedown
