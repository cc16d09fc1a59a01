#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shakedown {

/// The fields of one line that `scontrol show node -o` prints, or the same of another kind. Values may hold
/// blanks and '=' themselves ("OS=Linux 6.1 #1 SMP", "Reason=bad GPU State=DOWN"), so a word begins a field
/// only where it is a key that scontrol has, and the first of two equal keys counts: free texts are last.
/// Source: Slurm, src/api/node_info.c, partition_info.c, reservation_info.c.
class SlurmRecord {
 public:
  explicit SlurmRecord(std::string_view line);  ///< of a node
  /// `keys`: those that scontrol prints of this kind of record.
  SlurmRecord(std::string_view line, std::span<const std::string_view> keys);

  /// The value, empty where the field is absent, "(null)", "n/a" or "N/A".
  [[nodiscard]] std::string_view value(std::string_view key) const;

 private:
  [[nodiscard]] bool has(std::string_view key) const;
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

}  // namespace shakedown
