#pragma once
#include <map>
#include <string_view>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Which cases of a campaign took the place of which, when nodes were lost. Points into the campaign's
/// record.
class Replacements {
 public:
  explicit Replacements(const CampaignRecord& campaign);

  /// The case that took the place of this one, at once or by way of others; null: none did.
  [[nodiscard]] const CaseRecord* of(const CaseRecord& record) const;
  /// The cases whose place this one took, the one that was planned first in front; empty: it was planned so.
  [[nodiscard]] std::vector<const CaseRecord*> before(const CaseRecord& record) const;
  /// The nodes that were planned for at first.
  [[nodiscard]] int planned_nodes(const CaseRecord& record) const;
  /// Whether another case took its place and it gave no result that counts.
  [[nodiscard]] bool replaced(const CaseRecord& record) const;

 private:
  std::map<std::string_view, const CaseRecord*> next_;   ///< by the id of the case that was replaced
  std::map<std::string_view, const CaseRecord*> by_id_;  ///< the cases that were replaced
};

}  // namespace shakedown
