#include "orchestrator/inventory/slurm_record.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::string_view node_keys[] = {
    "NodeName",
    "Arch",
    "CoresPerSocket",
    "CPUAlloc",
    "CPUEfctv",
    "CPUTot",
    "CPULoad",
    "CPUErr",
    "AvailableFeatures",
    "ActiveFeatures",
    "Features",
    "Gres",
    "GresDrain",
    "GresUsed",
    "NodeAddr",
    "NodeHostName",
    "Port",
    "Version",
    "OS",
    "RealMemory",
    "AllocMem",
    "FreeMem",
    "Sockets",
    "Boards",
    "CoreSpecCount",
    "CPUSpecList",
    "MemSpecLimit",
    "State",
    "ThreadsPerCore",
    "TmpDisk",
    "Weight",
    "Owner",
    "MCS_label",
    "NextState",
    "Partitions",
    "BootTime",
    "SlurmdStartTime",
    "LastBusyTime",
    "ResumeAfterTime",
    "CfgTRES",
    "AllocTRES",
    "CapWatts",
    "CurrentWatts",
    "LowestJoules",
    "ConsumedJoules",
    "AveWatts",
    "ExtSensorsJoules",
    "ExtSensorsWatts",
    "ExtSensorsTemp",
    "Reason",
    "Comment",
    "Extra",
    "InstanceId",
    "InstanceType",
    "ReservationName",
    "BcastAddr",
    "GpuSpec",
    "Topology",
    "CertFlags",
};

}  // namespace

SlurmRecord::SlurmRecord(std::string_view line) : SlurmRecord(line, node_keys) {}

SlurmRecord::SlurmRecord(std::string_view line, std::span<const std::string_view> keys) {
  const auto is_key = [&](std::string_view word) { return std::ranges::find(keys, word) != keys.end(); };
  const char* begin = nullptr;  // of the value that is being read
  for (const std::string_view word : words(line)) {
    const size_t equals = word.find('=');
    if (equals != word.npos && is_key(word.substr(0, equals)) && !has(word.substr(0, equals))) {
      begin = word.data() + equals + 1;
      fields_.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    } else if (begin != nullptr) {
      const char* end = word.data() + word.size();
      fields_.back().second = {begin, static_cast<size_t>(end - begin)};
    }
  }
}

bool SlurmRecord::has(std::string_view key) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == key; });
}

std::string_view SlurmRecord::value(std::string_view key) const {
  const auto it = std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == key; });
  if (it == fields_.end()) return {};
  for (const std::string_view nothing : {"(null)", "n/a", "N/A", "n/s"})
    if (it->second == nothing) return {};
  return it->second;
}

}  // namespace shakedown
