#include "orchestrator/inventory/nics.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cstring>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// "0000:1b:00.0"
bool is_pci_address(const std::string& name) {
  if (name.size() < 12) return false;
  constexpr std::string_view form = "hhhh:hh:hh.h";
  const std::string_view text = std::string_view(name).substr(name.size() - 12);
  for (size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'h' ? std::isxdigit(static_cast<unsigned char>(text[i])) == 0 : text[i] != form[i])
      return false;
  return true;
}

/// The PCI device that `device` is or hangs on (a virtio device hangs on one); empty: none.
fs::path pci_device(const fs::path& device) {
  std::error_code error;
  for (fs::path folder = fs::canonical(device, error); !error && folder.has_relative_path();
       folder = folder.parent_path())
    if (is_pci_address(folder.filename().string())) return folder;
  return {};
}

void place(Nic& nic, const fs::path& device) {
  nic.driver = link_name(device / "driver");
  const fs::path pci = pci_device(device);
  if (pci.empty()) return;
  nic.pci_address = pci.filename().string();
  nic.numa_node = static_cast<int>(system_number(pci / "numa_node").value_or(-1));
}

/// The index of the RoCE v2 GID with an IPv4 address ("0000:0000:0000:0000:0000:ffff:c0a8:0001") and its
/// network interface; no index where there is none, or where several interfaces (VLANs) have one. The table
/// has gaps: an entry without a GID has no type either.
///
/// Source: Linux kernel, Documentation/ABI/stable/sysfs-class-infiniband.
struct RoceGid {
  std::optional<int> index;
  std::string interface;
};

RoceGid roce_gid(const fs::path& port) {
  RoceGid found;
  for (const std::string& name : names_in(port / "gids")) {
    const auto index = static_cast<int>(parsed_number(name).value_or(-1));
    if (index < 0 || system_file(port / "gid_attrs/types" / name).value_or("") != "RoCE v2") continue;
    if (!system_file(port / "gids" / name).value_or("").starts_with("0000:0000:0000:0000:0000:ffff:"))
      continue;
    const std::string interface = system_file(port / "gid_attrs/ndevs" / name).value_or("");
    if (found.index && interface != found.interface) return {};
    found.index = std::min(found.index.value_or(index), index);
    found.interface = interface;
  }
  return found;
}

/// What the RDMA device's port shows: "400 Gb/sec (4X NDR)", "Ethernet". Devices with several ports are old;
/// the first one counts.
void read_port(Nic& nic, const fs::path& device, const fs::path& net) {
  const fs::path port = device / "ports/1";
  nic.link_layer = system_file(port / "link_layer").value_or("");
  const std::string rate = system_file(port / "rate").value_or("");
  if (nic.speed_gb_s <= 0) nic.speed_gb_s = parsed_number(split(rate, ' ').front()).value_or(0);
  if (nic.link_layer != "Ethernet") return;
  const RoceGid gid = roce_gid(port);
  nic.roce_gid_index = gid.index;
  if (!gid.interface.empty())
    nic.mtu_bytes = static_cast<int>(system_number(net / gid.interface / "mtu").value_or(nic.mtu_bytes));
}

Nic interface(const fs::path& folder, const std::string& name, const FirmwareOf& firmware_of) {
  Nic nic;
  nic.name = name;
  // Megabits per second; -1, or no answer, while there is no link.
  const double speed = static_cast<double>(system_number(folder / "speed").value_or(0)) / 1000;
  nic.speed_gb_s = std::max(0.0, speed);
  nic.state = system_file(folder / "operstate").value_or("");
  place(nic, folder / "device");
  const auto rdma = names_in(folder / "device/infiniband");
  nic.mtu_bytes = static_cast<int>(system_number(folder / "mtu").value_or(0));
  if (!rdma.empty()) {
    nic.rdma_device = rdma.front();
    read_port(nic, folder / "device/infiniband" / nic.rdma_device, folder.parent_path());
  }
  if (nic.driver.empty() && !system_file(folder / "bonding/mode").value_or("").empty())
    nic.driver = "bonding";
  nic.firmware = firmware_of(name);
  return nic;
}

/// An RDMA device by itself: "4: ACTIVE".
Nic rdma_device(const fs::path& folder, const std::string& name, const fs::path& net) {
  Nic nic;
  nic.name = name;
  nic.rdma_device = name;
  place(nic, folder / "device");
  nic.firmware = system_file(folder / "fw_ver").value_or("");
  read_port(nic, folder, net);
  const std::string state = system_file(folder / "ports/1/state").value_or("");
  if (!state.empty()) nic.state = state.ends_with("ACTIVE") ? "up" : "down";
  return nic;
}

/// The interface of the default route, over which ranks connect first; empty: none or
/// several.
std::string default_interface(const fs::path& root) {
  std::string found;
  const std::string routes = system_file(root / "proc/net/route").value_or("");
  for (const std::string_view line : split(routes, '\n')) {
    const auto fields = words(line);  // Iface Destination Gateway Flags ...
    if (fields.size() < 3 || fields[1] != "00000000") continue;
    if (!found.empty() && found != fields[0]) return {};
    found = fields[0];
  }
  return found;
}

}  // namespace

std::vector<Nic> read_nics(const fs::path& root, const FirmwareOf& firmware_of) {
  std::vector<Nic> nics;
  std::error_code error;
  const fs::path net = root / "sys/class/net";
  for (const std::string& name : names_in(net)) {
    const bool is_hardware = fs::exists(net / name / "device", error);
    const bool is_bond = fs::exists(net / name / "bonding", error);
    const bool is_virtual_function = fs::exists(net / name / "device/physfn", error);
    if ((is_hardware && !is_virtual_function) || is_bond)
      nics.push_back(interface(net / name, name, firmware_of));
  }
  const std::string first = default_interface(root);
  for (Nic& nic : nics)
    if (nic.name == first && nic.rdma_device.empty()) nic.role = "management";
  const fs::path infiniband = root / "sys/class/infiniband";
  for (const std::string& name : names_in(infiniband)) {
    const bool known =
        std::any_of(nics.begin(), nics.end(), [&](const Nic& nic) { return nic.rdma_device == name; });
    const bool is_virtual_function = fs::exists(infiniband / name / "device/physfn", error);
    if (!known && !is_virtual_function) nics.push_back(rdma_device(infiniband / name, name, net));
  }
  return nics;
}

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
