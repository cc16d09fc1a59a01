#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace shakedown {

/// What a name that is redacted is of.
enum class NameKind {
  node,
  domain,
  user,
  person,
  system,
  party,
  partition,
  account,
  path,
  address,
  serial,
  campaign,
  file
};
/// "node", "user", ...: what a replacement begins with.
std::string_view to_string(NameKind kind);

/// Whether a name is of small letters alone, as any word.
bool is_plain_word(std::string_view name);

/// Replaces names within texts: those that were added, and what has the form of a path, an address or a
/// serial number. A name has one replacement wherever it stands: "node-001", "user-1", "path-3".
///
/// Added names are replaced as whole words; of a word that belongs to everyday speech ("gpu", "batch") only
/// where it is all of a text or follows what it is of ("partition gpu"). Hostlists are replaced as such
/// ("cn[001-098]" becomes "node-[001-098]"), and so are numbered hosts that nobody named ("cn099"). Paths of
/// the operating system itself (/proc, /usr/bin, ...) and web addresses of publications stay.
class Redactor {
 public:
  /// Nodes are numbered in the order in which they are added, other names too.
  void add(NameKind kind, std::string_view name);
  /// Another name of a node or a user that is known already.
  void add_alias(std::string_view name, std::string_view known);
  /// A text that stays as it is where it stands alone: the name of a suite, a metric.
  void keep(std::string_view identifier) { kept_.emplace(identifier); }

  [[nodiscard]] bool keeps(std::string_view identifier) const { return kept_.contains(identifier); }
  [[nodiscard]] bool knows(std::string_view name) const { return names_.contains(std::string(name)); }

  std::string operator()(std::string_view text);

  /// How many names of each kind were replaced.
  [[nodiscard]] std::map<std::string, int> replaced() const;

  /// The added names that still stand in a text as whole words, but for everyday words. Of those that are a
  /// plain word ("alice", "elsewhere") it is not certain: shakedown's own sentences may hold it.
  [[nodiscard]] std::vector<std::string> left_in(std::string_view text) const;

 private:
  struct Known {
    NameKind kind = NameKind::node;
    std::string replacement;
    bool everyday = false;
  };
  struct Found {
    std::size_t length = 0;
    std::string replacement;
  };

  [[nodiscard]] std::string replacement(NameKind kind);
  const std::string& found_name(NameKind kind, std::string_view name);
  [[nodiscard]] const Known* whole(std::string_view text) const;
  Found name_at(std::string_view text, std::size_t at);
  Found hostlist_at(std::string_view text, std::size_t at);
  Found host_of_domain_at(std::string_view text, std::size_t at);
  Found numbered_host_at(std::string_view text, std::size_t at);
  Found path_at(std::string_view text, std::size_t at);
  Found form_at(std::string_view text, std::size_t at);

  std::unordered_map<std::string, Known> names_;
  std::map<NameKind, int> counts_;
  std::set<std::string, std::less<>> kept_;
  std::set<std::string> prefixes_;  ///< of numbered nodes: "cn"
  std::size_t longest_ = 0;         ///< of the names
  int node_digits_ = 3;
};

}  // namespace shakedown
