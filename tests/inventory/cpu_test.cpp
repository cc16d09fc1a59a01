#include <catch2/catch.hpp>

#include "orchestrator/inventory/cpu_model.hpp"
#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

namespace {

const std::string genoa =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
    "model name\t: AMD EPYC 9654 96-Core Processor\ncpu MHz\t\t: 1500.000\n"
    "flags\t\t: fpu sse2 avx fma avx2 avx512f\n\nprocessor\t: 1\nvendor_id\t: Other\nmodel name\t: other\n";

// What Grace prints: no model name.
const std::string grace =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd atomics fphp asimdhp sve sve2\n"
    "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\nCPU revision\t: "
    "0\n";

CpuModel model(const std::string& vendor, int family, int number, std::vector<std::string> flags) {
  CpuModel cpu;
  cpu.vendor = vendor;
  cpu.family = family;
  cpu.model = number;
  cpu.flags = std::move(flags);
  return cpu;
}

const std::vector<std::string> avx512 = {"sse2", "avx", "fma", "avx2", "avx512f"};
const std::vector<std::string> avx2 = {"sse2", "avx", "fma", "avx2"};

}  // namespace

TEST_CASE("an x86 processor is read from /proc/cpuinfo") {
  MadeUpMachine machine;
  machine.file("proc/cpuinfo", genoa);
  const CpuModel cpu = read_cpu_model(machine.root());
  CHECK(cpu.name == "AMD EPYC 9654 96-Core Processor");
  CHECK(cpu.vendor == "AuthenticAMD");
  CHECK(cpu.family == 25);
  CHECK(cpu.model == 17);
  CHECK(cpu.current_mhz == 1500);
  CHECK(vector_extension(cpu) == "avx512");
  CHECK(fp64_flop_per_cycle(cpu) == 16);
}

TEST_CASE("an Arm processor is named by implementer and part") {
  MadeUpMachine machine;
  machine.file("proc/cpuinfo", grace);
  const CpuModel cpu = read_cpu_model(machine.root());
  CHECK(cpu.name == "Arm Neoverse-V2");
  CHECK(cpu.vendor == "Arm");
  CHECK(vector_extension(cpu) == "sve");
  CHECK(fp64_flop_per_cycle(cpu) == 16);
}

TEST_CASE("an Arm processor that is not in the table keeps its numbers and has no peak") {
  MadeUpMachine machine;
  machine.file("proc/cpuinfo",
               "processor : 0\nFeatures : fp asimd\nCPU implementer : 0x48\nCPU part : 0xd01\n");
  const CpuModel cpu = read_cpu_model(machine.root());
  CHECK(cpu.name == "implementer 0x48 part 0xd01");
  CHECK(vector_extension(cpu) == "neon");
  CHECK(fp64_flop_per_cycle(cpu) == 0);
}

TEST_CASE("without /proc/cpuinfo the processor is unknown") {
  MadeUpMachine machine;
  CHECK(read_cpu_model(machine.root()) == CpuModel{});
  CHECK(vector_extension({}).empty());
  CHECK(fp64_flop_per_cycle({}) == 0);
}

TEST_CASE("FP64 operations per cycle follow from vendor, family and model") {
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x17, 0x01, avx2)) == 8);     // Naples
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x17, 0x31, avx2)) == 16);    // Rome
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x19, 0x01, avx2)) == 16);    // Milan
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x1a, 0x02, avx512)) == 32);  // Turin
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x1b, 0x00, avx512)) == 0);
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x2d, {"avx"})) == 8);  // Sandy Bridge-EP
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x4f, avx2)) == 16);    // Broadwell-EP
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x55, avx512)) == 32);  // Skylake-SP
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x8f, avx512)) == 32);  // Sapphire Rapids
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0xaf, avx2)) == 8);     // Sierra Forest
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x9e, avx2)) == 16);    // Coffee Lake
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0xa7, avx512)) == 0);   // units not in the table
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 19, 1, avx512)) == 0);
  CHECK(fp64_flop_per_cycle(model("Arm", 0x41, 0xd0c, {"asimd"})) == 8);  // Neoverse N1
  CHECK(fp64_flop_per_cycle(model("Arm", 0x41, 0xd40, {"asimd", "sve"})) == 16);
  CHECK(fp64_flop_per_cycle(model("Fujitsu", 0x46, 0x001, {"asimd", "sve"})) == 32);
}

TEST_CASE("an extension that a hypervisor hides doesn't count") {
  CHECK(fp64_flop_per_cycle(model("GenuineIntel", 6, 0x8f, avx2)) == 16);
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x1a, 0x02, avx2)) == 16);
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x19, 0x11, {"sse2", "avx"})) == 8);
  CHECK(fp64_flop_per_cycle(model("AuthenticAMD", 0x19, 0x11, {"sse2"})) == 4);
}

TEST_CASE("the base clock comes from the first that states it") {
  MadeUpMachine machine;
  CpuModel cpu;
  cpu.current_mhz = 800;
  SECTION("nothing but /proc/cpuinfo, which is said") {
    const CpuClock clock = read_cpu_clock(machine.root(), cpu, 0);
    CHECK(clock.base_mhz == 800);
    CHECK(clock.max_mhz == 0);
    CHECK(clock.note ==
          "base clock 800.0 MHz: the clock at the moment of reading /proc/cpuinfo, as nothing states "
          "the nominal clock");
  }
  SECTION("in a virtual machine that is the time stamp counter's clock") {
    cpu.flags = {"hypervisor"};
    CHECK_THAT(read_cpu_clock(machine.root(), cpu, 0).note, Catch::Contains("time stamp counter"));
  }
  SECTION("CPUID before /proc/cpuinfo") {
    CHECK(read_cpu_clock(machine.root(), cpu, 2100) == CpuClock{2100, 0, ""});
  }
  SECTION("the model's name before CPUID") {
    cpu.name = "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz";
    CHECK(read_cpu_clock(machine.root(), cpu, 2100).base_mhz == Approx(2600));
    cpu.name = "Intel(R) Pentium(R) CPU @ 800MHz";
    CHECK(read_cpu_clock(machine.root(), cpu, 2100).base_mhz == Approx(800));
    cpu.name = "odd @ name";
    CHECK(read_cpu_clock(machine.root(), cpu, 2100).base_mhz == 2100);
  }
  SECTION("ACPI's nominal frequency before the name, and cpufreq's before both") {
    cpu.name = "x @ 2.60GHz";
    machine.file("sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq", "2400\n");
    CHECK(read_cpu_clock(machine.root(), cpu, 0).base_mhz == 2400);
    machine.file("sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2000000\n")
        .file("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3800000\n");
    CHECK(read_cpu_clock(machine.root(), cpu, 0) == CpuClock{2000, 3800, ""});
  }
  SECTION("nothing at all") {
    CHECK(read_cpu_clock(machine.root(), {}, 0).base_mhz == 0);
    CHECK_THAT(read_cpu_clock(machine.root(), {}, 0).note, Catch::Contains("not readable"));
  }
}
