#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// One line of /proc/self/mountinfo, octal escapes decoded. Source: proc(5).
struct MountEntry {
  std::string device;         ///< major:minor
  std::string root;           ///< the folder of the filesystem that is mounted
  std::string path;           ///< where
  std::string options;        ///< of this mount: "rw,relatime"
  std::string type;           ///< "ext4"
  std::string source;         ///< "/dev/vda"
  std::string super_options;  ///< of the filesystem
  friend bool operator==(const MountEntry&, const MountEntry&) = default;
};

/// The lines that can be read, in their order.
std::vector<MountEntry> mount_entries(std::string_view mountinfo);

/// Whether a comma-separated list of options holds `option`.
bool has_option(std::string_view options, std::string_view option);

/// `path`, an absolute one, below `root`.
std::filesystem::path below(const std::filesystem::path& root, std::string_view path);

}  // namespace shakedown
