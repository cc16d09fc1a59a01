#include "reports/redact/redactor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "orchestrator/inventory/hostlist.hpp"
#include "reports/redact/forms.hpp"

namespace shakedown {
namespace {

/// Names that are replaced only where it is certain that they are names.
constexpr std::array<std::string_view, 44> everyday_words = {
    "a",     "account", "all",      "any",    "batch",  "cluster",    "compute", "cpu", "cpus",
    "day",   "debug",   "default",  "gpu",    "gpus",   "head",       "host",    "hpc", "large",
    "local", "login",   "long",     "main",   "master", "mem",        "memory",  "mpi", "node",
    "nodes", "normal",  "one",      "other",  "power",  "production", "queue",   "run", "short",
    "site",  "small",   "standard", "system", "test",   "user",       "work",    "x"};

/// Names of nobody in particular.
constexpr std::array<std::string_view, 6> nobody = {"localhost", "root",  "nobody",
                                                    "daemon",    "slurm", "munge"};

/// Words behind which an everyday word is a name, and of which kinds.
constexpr std::array<std::string_view, 12> markers = {"partition", "partition:",  "--partition",   "account",
                                                      "account:",  "--account",   "qos",           "--qos",
                                                      "queue",     "reservation", "--reservation", "-p"};

/// The longest part of a text that is looked at as a hostlist.
constexpr std::size_t longest_hostlist = 4000;
constexpr std::size_t most_hosts = 100000;

bool starts_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_word(text[at - 1]);
}

bool ends_word(std::string_view text, std::size_t end) {
  return end >= text.size() || !is_word(text[end]);
}

/// The word before `at`, which blanks or '=' separate from it.
std::string_view word_before(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  while (!before.empty() && std::string_view(" =\"'\t").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  const std::size_t start = before.find_last_of(" \t\n\"'=,;(");
  return start == std::string_view::npos ? before : before.substr(start + 1);
}

/// "cn" of "cn098"; empty: the name does not end in a number.
std::string numbered_prefix(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end == std::string_view::npos || end + 1 == name.size() ? std::string()
                                                                 : std::string(name.substr(0, end + 1));
}

}  // namespace

std::string_view to_string(NameKind kind) {
  static constexpr std::array<std::string_view, 13> words = {
      "node",    "domain", "user",    "person", "system",   "party", "partition",
      "account", "path",   "address", "serial", "campaign", "file"};
  return words.at(static_cast<std::size_t>(kind));
}

bool is_plain_word(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string Redactor::replacement(NameKind kind) {
  const int number = ++counts_[kind];
  return kind == NameKind::node ? fmt::format("node-{:0{}}", number, node_digits_)
                                : fmt::format("{}-{}", to_string(kind), number);
}

void Redactor::add(NameKind kind, std::string_view name) {
  if (name.empty() || std::ranges::find(nobody, name) != nobody.end() || knows(name)) return;
  const bool everyday = std::ranges::find(everyday_words, name) != everyday_words.end();
  names_.emplace(name, Known{kind, replacement(kind), everyday});
  longest_ = std::max(longest_, name.size());
  if (kind == NameKind::node)
    if (std::string prefix = numbered_prefix(name); !prefix.empty()) prefixes_.insert(std::move(prefix));
}

void Redactor::add_alias(std::string_view name, std::string_view known) {
  const auto found = names_.find(std::string(known));
  if (name.empty() || found == names_.end() || knows(name)) return;
  const Known same = found->second;
  names_.emplace(name, same);
  longest_ = std::max(longest_, name.size());
}

const std::string& Redactor::found_name(NameKind kind, std::string_view name) {
  const auto known = names_.find(std::string(name));
  if (known != names_.end()) return known->second.replacement;
  // Not among those that `left_in` looks for: forms are found by their form again.
  return names_.emplace(name, Known{kind, replacement(kind), true}).first->second.replacement;
}

const Redactor::Known* Redactor::whole(std::string_view text) const {
  const auto found = names_.find(std::string(text));
  return found == names_.end() ? nullptr : &found->second;
}

Redactor::Found Redactor::name_at(std::string_view text, std::size_t at) {
  // The longest first: "gpu-a.example.org" before "gpu-a".
  const std::size_t most = std::min(longest_, text.size() - at);
  for (std::size_t length = most; length > 0; --length) {
    if (!ends_word(text, at + length)) continue;
    const Known* known = whole(text.substr(at, length));
    if (known == nullptr) continue;
    if (known->everyday && length != text.size()) {
      const std::string_view before = word_before(text, at);
      if (std::ranges::find(markers, before) == markers.end()) continue;
    }
    return {length, known->replacement};
  }
  return {};
}

/// "login1.acme.example", where the domain is known and the host is not.
Redactor::Found Redactor::host_of_domain_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '-')) ++end;
  if (end + 1 >= text.size() || text[end] != '.') return {};
  std::size_t last = end + 1;
  while (last < text.size() && (is_word(text[last]) || text[last] == '-' || text[last] == '.')) ++last;
  for (; last > end + 1; --last) {
    const Known* domain = whole(text.substr(end + 1, last - end - 1));
    if (domain != nullptr && domain->kind == NameKind::domain)
      return {last - at, found_name(NameKind::node, text.substr(at, last - at))};
  }
  return {};
}

Redactor::Found Redactor::numbered_host_at(std::string_view text, std::size_t at) {
  for (const std::string& prefix : prefixes_) {
    if (!text.substr(at).starts_with(prefix)) continue;
    std::size_t end = at + prefix.size();
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == at + prefix.size() || end - at - prefix.size() > most_digits || !ends_word(text, end))
      continue;
    // One letter and a number may be anything: "n2" beside the node "n1" is a node, "x86" beside "x1" is not.
    if (prefix.size() == 1 && end - at > 3) continue;
    return {end - at, found_name(NameKind::node, text.substr(at, end - at))};
  }
  return {};
}

Redactor::Found Redactor::hostlist_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at, longest_hostlist);
  std::size_t end = 0;
  int open = 0;
  bool brackets = false;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '[') {
      ++open;
      brackets = true;
    } else if (c == ']') {
      --open;
    } else if (!is_word(c) && std::string_view("._-,").find(c) == std::string_view::npos) {
      break;
    }
    if (open < 0) break;
  }
  if (!brackets || open != 0) return {};
  std::string_view list = rest.substr(0, end);
  while (!list.empty() && (list.back() == ',' || list.back() == '.')) list.remove_suffix(1);
  const auto hosts = expanded_hostlist(list);
  if (!hosts || hosts->size() > most_hosts) return {};
  const bool ours = std::ranges::any_of(*hosts, [&](const std::string& host) {
    return knows(host) || prefixes_.contains(numbered_prefix(host));
  });
  if (!ours) return {};
  std::vector<std::string> replaced;
  replaced.reserve(hosts->size());
  for (const std::string& host : *hosts) replaced.push_back(found_name(NameKind::node, host));
  std::ranges::sort(replaced);
  return {list.size(), folded_hostlist(replaced)};
}

Redactor::Found Redactor::path_at(std::string_view text, std::size_t at) {
  const std::size_t length = path_length(text, at);
  if (length == 0) return {};
  return {length, found_name(NameKind::path, text.substr(at, length))};
}

Redactor::Found Redactor::form_at(std::string_view text, std::size_t at) {
  if (const std::size_t length = web_address_length(text, at); length > 0) {
    const std::string_view address = text.substr(at, length);
    if (left_in(address).empty()) return {length, std::string(address)};
    return {length, found_name(NameKind::address, address)};
  }
  if (const auto form = form_of(text, at))
    return {form->length, found_name(form->kind, text.substr(at, form->length))};
  // "uid 1000" names a user as well as a name does.
  constexpr std::string_view mark = "uid ";
  if (text.substr(at).starts_with(mark)) {
    std::size_t end = at + mark.size();
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::string_view uid = text.substr(at, end - at);
    if (uid.size() > mark.size() && uid != "uid 0") return {uid.size(), found_name(NameKind::user, uid)};
  }
  return {};
}

std::string Redactor::operator()(std::string_view text) {
  if (kept_.contains(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    Found found;
    if (text[at] == '/' || text[at] == '~') {
      found = path_at(text, at);
    } else if (starts_word(text, at) && (is_word(text[at]) || text[at] == ':')) {
      found = hostlist_at(text, at);
      if (found.length == 0) found = name_at(text, at);
      if (found.length == 0) found = host_of_domain_at(text, at);
      if (found.length == 0) found = form_at(text, at);
      if (found.length == 0) found = numbered_host_at(text, at);
    }
    if (found.length > 0) {
      out += found.replacement;
      at += found.length;
      continue;
    }
    out += text[at];
    ++at;
  }
  return out;
}

std::map<std::string, int> Redactor::replaced() const {
  std::map<std::string, int> counts;
  for (const auto& [kind, count] : counts_) counts[std::string(to_string(kind))] = count;
  return counts;
}

std::vector<std::string> Redactor::left_in(std::string_view text) const {
  std::vector<std::string> left;
  for (const auto& [name, known] : names_) {
    if (known.everyday) continue;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
      if (starts_word(text, at) && ends_word(text, at + name.size())) {
        left.push_back(name);
        break;
      }
  }
  std::ranges::sort(left);
  return left;
}

}  // namespace shakedown
