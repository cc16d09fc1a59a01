#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/nics.hpp"

namespace shakedown {

std::string driver_firmware(const std::string& name) {
  ifreq request{};
  if (name.size() >= sizeof request.ifr_name) return "";
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  std::memcpy(request.ifr_name, name.data(), name.size());
  request.ifr_data = reinterpret_cast<char*>(&info);
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return "";
  const bool answered = ::ioctl(fd, SIOCETHTOOL, &request) == 0;
  ::close(fd);
  if (!answered) return "";
  const std::string version(
      trimmed(std::string_view(info.fw_version, strnlen(info.fw_version, sizeof info.fw_version))));
  return version == "N/A" ? "" : version;
}

}  // namespace shakedown
