#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A setting as a campaign's nodes had it while they were measured.
struct SeenSetting {
  std::string name;                 ///< "governor", "ecc", "nic_firmware mlx5_0", "other programs"
  std::string usual;                ///< the value on most of them: "performance"
  int nodes = 0;                    ///< that reported
  std::vector<std::string> others;  ///< other values, and where: "powersave on cn[003-004]"
  friend bool operator==(const SeenSetting&, const SeenSetting&) = default;
};

/// One row per setting that any node reported, in the order of `reading_names`, and one of the
/// other_processes; empty if no node reported anything.
std::vector<SeenSetting> seen_settings(const CampaignRecord& campaign);

}  // namespace shakedown
