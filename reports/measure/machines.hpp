#pragma once
#include <map>
#include <string>
#include <vector>

namespace shakedown {

struct MeasuredCase;
struct MeasuredCampaign;

/// Something by which logs show that they are of different machines: "GPU", with the cases that state each
/// value.
struct MachineMark {
  std::string what;                                        ///< "GPU", "platform", "hosts called", ...
  std::map<std::string, std::vector<std::string>> values;  ///< ids of cases by value; two values or more
};

/// What a case's logs state of the machine, by mark: the GPU's model, MLPerf's platform without its number of
/// nodes, the hosts' name without its number ("osk-gpu" for osk-gpu01). Empty: they state nothing.
std::map<std::string, std::string> stated_machine(const MeasuredCase& record);

/// The marks in which logs made elsewhere that were imported under one name differ; empty: they may be of one
/// machine, or they don't tell. Different numbers of nodes alone are one machine at several sizes.
std::vector<MachineMark> differing_machines(const std::vector<MeasuredCase>& cases);

/// "the logs are of several machines: GPU NVIDIA H100 80GB HBM3 (a, b) and NVIDIA A100 (c)"; empty: they are
/// not.
std::string several_machines(const MeasuredCampaign& campaign);

/// What to do about it.
inline constexpr const char* several_machines_remedy =
    "import the logs of each machine under a name of its own: --campaign NAME --system NAME";

}  // namespace shakedown
