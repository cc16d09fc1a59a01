#include "orchestrator/inventory/software.hpp"

#include <string_view>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// PRETTY_NAME of os-release(5); its value may be in quotes.
std::string os_name(const fs::path& root) {
  for (const char* file : {"etc/os-release", "usr/lib/os-release"}) {
    const auto text = system_file(root / file);
    if (!text) continue;
    for (const std::string_view line : split(*text, '\n')) {
      if (!line.starts_with("PRETTY_NAME=")) continue;
      std::string_view value = trimmed(line.substr(line.find('=') + 1));
      if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
          value.back() == value.front())
        value = value.substr(1, value.size() - 2);
      return std::string(value);
    }
  }
  return "";
}

/// The pieces that firmware reports, with blanks between them; usual placeholders are omitted.
std::string firmware_text(const fs::path& folder, std::initializer_list<const char*> files) {
  std::vector<std::string> pieces;
  for (const char* file : files) {
    const std::string piece = system_value(folder / file).value_or("");
    const bool placeholder =
        piece == "To Be Filled By O.E.M." || piece == "Default string" || piece == "Not Specified";
    if (!piece.empty() && !placeholder) pieces.push_back(piece);
  }
  return joined(pieces, " ");
}

struct Name {
  std::string_view sign, name;
};

// CPUID leaf 40000000h: Linux, arch/x86/kernel/cpu/hypervisor.c and the hypervisors' own documents.
constexpr Name signatures[] = {{"KVMKVMKVM", "kvm"},       {"Microsoft Hv", "hyper-v"},
                               {"VMwareVMware", "vmware"}, {"XenVMMXenVMM", "xen"},
                               {"TCGTCGTCGTCG", "qemu"},   {"bhyve bhyve ", "bhyve"},
                               {"ACRNACRNACRN", "acrn"},   {"VBoxVBoxVBox", "virtualbox"}};
// SMBIOS system vendor, for processors without CPUID.
constexpr Name vendors[] = {{"QEMU", "kvm"},
                            {"KVM", "kvm"},
                            {"VMware, Inc.", "vmware"},
                            {"innotek GmbH", "virtualbox"},
                            {"Xen", "xen"}};

std::string virtualisation(const fs::path& root, const std::string& hypervisor) {
  for (const Name& row : signatures)
    if (hypervisor == row.sign) return std::string(row.name);
  if (!hypervisor.empty()) return hypervisor;
  std::string type = system_file(root / "sys/hypervisor/type").value_or("");
  if (!type.empty()) return type;
  const std::string vendor = system_file(root / "sys/class/dmi/id/sys_vendor").value_or("");
  for (const Name& row : vendors)
    if (vendor == row.sign) return std::string(row.name);
  return "";
}

}  // namespace

std::string kernel_release(const fs::path& root) {
  return system_value(root / "proc/sys/kernel/osrelease").value_or("");
}

std::string firmware_version(const fs::path& root) {
  return firmware_text(root / "sys/class/dmi/id", {"bios_vendor", "bios_version", "bios_date"});
}

Software read_software(const fs::path& root, const std::string& hypervisor) {
  const fs::path dmi = root / "sys/class/dmi/id";
  Software software;
  software.os = os_name(root);
  software.kernel = kernel_release(root);
  software.firmware = firmware_version(root);
  software.board = firmware_text(dmi, {"sys_vendor", "product_name"});
  if (software.board.empty()) {
    // Device trees end their strings with a zero byte.
    const std::string model = system_file(root / "sys/firmware/devicetree/base/model").value_or("");
    software.board = model.substr(0, model.find('\0'));
  }
  software.virtualisation = virtualisation(root, hypervisor);
  return software;
}

}  // namespace shakedown
