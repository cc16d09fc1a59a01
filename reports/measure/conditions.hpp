#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// The names that comparability.toml may use; their meanings are at its head.
std::span<const std::string> known_conditions();

/// Those that whoever imports logs may state where the logs don't.
std::span<const std::string> statable_conditions();

/// How what an efficiency refers to is made of the screens (reports/measure/efficiency.hpp).
inline constexpr std::string_view median_of_screens = "median of the screens";

/// A condition of a campaign's case, from its logs, its plan or the inventory; nothing if none of them states
/// it, or if its results disagree.
std::optional<Value> condition_of(std::string_view name, const MeasuredCampaign& campaign,
                                  const MeasuredCase& record, const Comparability& comparability);

/// "98 nodes", "GPU NVIDIA H100", "precision fp64".
std::string condition_text(std::string_view name, const Value& value);

/// The value alone, to be printed after its name: "1", "none", "reference".
std::string bare_condition_text(std::string_view name, const Value& value);

/// Whether two values of a condition are the same: numbers by value, versions without trailing zeros ("4.1",
/// "v4.1.0"), precisions in either case, other texts to the letter.
bool same_condition(std::string_view name, const Value& a, const Value& b);

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
