#include "suites/io500/reference/file_system.hpp"

#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <array>
#include <utility>

namespace io500 {

Result<std::string> network_file_system(const std::string& path) {
  constexpr std::array<std::pair<std::uint32_t, const char*>, 18> known = {{{0x6969, "NFS"},
                                                                            {0x0BD00BD0, "Lustre"},
                                                                            {0x47504653, "GPFS"},
                                                                            {0x19830326, "BeeGFS"},
                                                                            {0x00C36400, "CephFS"},
                                                                            {0x65735546, "FUSE"},
                                                                            {0xFF534D42, "CIFS"},
                                                                            {0xFE534D42, "SMB2"},
                                                                            {0x517B, "SMB"},
                                                                            {0x5346414F, "AFS"},
                                                                            {0x73757245, "Coda"},
                                                                            {0x01021997, "9P"},
                                                                            {0x564C, "NCP"},
                                                                            {0x20030528, "OrangeFS"},
                                                                            {0xAAD7AAEA, "PanFS"},
                                                                            {0x01161970, "GFS2"},
                                                                            {0x7461636F, "OCFS2"},
                                                                            {0x6B414653, "kAFS"}}};
  struct statfs found {};
  if (statfs(path.c_str(), &found) != 0) return tl::unexpected(system_text("can't ask what holds " + path));
  for (const auto& [magic, name] : known)
    if (static_cast<std::uint32_t>(found.f_type) == magic) return std::string(name);
  return std::string();
}

Result<Space> free_space(const std::string& path) {
  struct statvfs found {};
  if (statvfs(path.c_str(), &found) != 0)
    return tl::unexpected(system_text("can't ask how much is free on " + path));
  return Space{static_cast<std::int64_t>(found.f_bavail) * static_cast<std::int64_t>(found.f_frsize),
               static_cast<std::int64_t>(found.f_favail)};
}

}  // namespace io500
