#include "orchestrator/inventory/software.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

TEST_CASE("operating system, kernel, firmware and board are read") {
  MadeUpMachine machine;
  machine.file("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
      .file("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
      .file("sys/class/dmi/id/bios_vendor", "American Megatrends\n")
      .file("sys/class/dmi/id/bios_version", "1.4b\n")
      .file("sys/class/dmi/id/bios_date", "03/01/2024\n")
      .file("sys/class/dmi/id/sys_vendor", "Supermicro\n")
      .file("sys/class/dmi/id/product_name", "Default string\n");
  CHECK(read_software(machine.root(), "") == Software{"Debian GNU/Linux 12 (bookworm)", "6.1.0-18-amd64",
                                                      "American Megatrends 1.4b 03/01/2024", "Supermicro", "",
                                                      ""});
}

TEST_CASE("os-release may lie in /usr/lib and do without quotes") {
  MadeUpMachine machine;
  machine.file("usr/lib/os-release", "PRETTY_NAME=Linux\n");
  CHECK(read_software(machine.root(), "").os == "Linux");
}

TEST_CASE("a board without DMI is named by its device tree") {
  MadeUpMachine machine;
  machine.file("sys/firmware/devicetree/base/model", std::string("Ampere Altra\0", 13));
  CHECK(read_software(machine.root(), "").board == "Ampere Altra");
}

TEST_CASE("a virtual machine is known by CPUID's signature, Xen's folder or the system's vendor") {
  MadeUpMachine machine;
  CHECK(read_software(machine.root(), "").virtualisation.empty());
  CHECK(read_software(machine.root(), "KVMKVMKVM").virtualisation == "kvm");
  CHECK(read_software(machine.root(), "Microsoft Hv").virtualisation == "hyper-v");
  CHECK(read_software(machine.root(), "SomethingNew").virtualisation == "SomethingNew");
  machine.file("sys/class/dmi/id/sys_vendor", "QEMU\n");
  CHECK(read_software(machine.root(), "").virtualisation == "kvm");
  machine.file("sys/hypervisor/type", "xen\n");
  CHECK(read_software(machine.root(), "").virtualisation == "xen");
}
