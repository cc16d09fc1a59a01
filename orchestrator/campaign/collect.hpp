#pragma once
#include <filesystem>
#include <span>

#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/store/record.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown {

/// Where an attempt's folder is and what it belongs to.
struct AttemptPlace {
  std::filesystem::path campaign_folder;
  const Case* planned = nullptr;
  int index = 1;

  [[nodiscard]] std::string relative() const;  ///< "hpl-reference-1n/attempt-1"
  [[nodiscard]] std::filesystem::path folder() const { return campaign_folder / relative(); }
};

/// How an attempt ended, by its run directory. `finished` becomes `not_started` where the case's launcher
/// gave up by itself: exit code not 0, not a word of the program, and no report of the launcher on a process
/// of it or on the end of its step.
AttemptState ended_state(const AttemptPlace& place, const Finished& finished);

/// An ended attempt as its run directory describes it: how it ended, under which conditions, what its log
/// proves, the verdict of each rule, and the hash of every file. An attempt without finished.json is `lost`.
/// `settings`: how the nodes should be. Rules that hold a result against screens are left to judging.
AttemptRecord collected_attempt(const AttemptPlace& place, const Inventory& inventory,
                                std::span<const ExpectedSetting> settings = {});

}  // namespace shakedown
