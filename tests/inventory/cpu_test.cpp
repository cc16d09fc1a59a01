#include <catch2/catch.hpp>

#include "orchestrator/inventory/cpu_model.hpp"
#include "orchestrator/inventory/processors.hpp"
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

int flop(const CpuModel& cpu) {
  return fp64_rate(cpu).per_cycle;
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
  CHECK(flop(cpu) == 16);
}

TEST_CASE("an Arm processor is named by implementer and part") {
  MadeUpMachine machine;
  machine.file("proc/cpuinfo", grace);
  const CpuModel cpu = read_cpu_model(machine.root());
  CHECK(cpu.name == "Arm Neoverse-V2");
  CHECK(cpu.vendor == "Arm");
  CHECK(vector_extension(cpu) == "sve");
  CHECK(flop(cpu) == 16);
}

TEST_CASE("an Arm processor that is not in the table keeps its numbers and has no peak") {
  MadeUpMachine machine;
  machine.file("proc/cpuinfo",
               "processor : 0\nFeatures : fp asimd\nCPU implementer : 0x48\nCPU part : 0xd01\n");
  const CpuModel cpu = read_cpu_model(machine.root());
  CHECK(cpu.name == "implementer 0x48 part 0xd01");
  CHECK(vector_extension(cpu) == "neon");
  CHECK(flop(cpu) == 0);
}

TEST_CASE("without /proc/cpuinfo the processor is unknown") {
  MadeUpMachine machine;
  CHECK(read_cpu_model(machine.root()) == CpuModel{});
  CHECK(vector_extension({}).empty());
  CHECK(flop({}) == 0);
}

TEST_CASE("FP64 operations per cycle follow from vendor, family and model") {
  CHECK(flop(model("AuthenticAMD", 0x17, 0x01, avx2)) == 8);     // Naples
  CHECK(flop(model("AuthenticAMD", 0x17, 0x50, avx2)) == 8);     // as Naples: Linux, bsp_init_amd
  CHECK(flop(model("AuthenticAMD", 0x17, 0x31, avx2)) == 16);    // Rome
  CHECK(flop(model("AuthenticAMD", 0x19, 0x01, avx2)) == 16);    // Milan
  CHECK(flop(model("AuthenticAMD", 0x1a, 0x02, avx512)) == 32);  // Turin
  CHECK(flop(model("GenuineIntel", 6, 0x2d, {"avx"})) == 8);     // Sandy Bridge-EP
  CHECK(flop(model("GenuineIntel", 6, 0x4f, avx2)) == 16);       // Broadwell-EP
  CHECK(flop(model("GenuineIntel", 6, 0x55, avx512)) == 32);     // Skylake-SP
  CHECK(flop(model("GenuineIntel", 6, 0x8f, avx512)) == 32);     // Sapphire Rapids
  CHECK(flop(model("GenuineIntel", 6, 0xaf, avx2)) == 8);        // Sierra Forest
  CHECK(flop(model("GenuineIntel", 6, 0x9e, avx2)) == 16);       // Coffee Lake
  CHECK(flop(model("GenuineIntel", 6, 0xad, avx512)) == 32);     // Granite Rapids
  CHECK(flop(model("AuthenticAMD", 0x19, 0xa0, avx512)) == 16);  // Bergamo
  CHECK(flop(model("HygonGenuine", 0x18, 0x01, avx2)) == 8);
  CHECK(flop(model("Arm", 0x41, 0xd0c, {"asimd"})) == 8);  // Neoverse N1
  CHECK(flop(model("Arm", 0x41, 0xd40, {"asimd", "sve"})) == 16);
  CHECK(flop(model("Fujitsu", 0x46, 0x001, {"asimd", "sve"})) == 32);
}

TEST_CASE("one or two AVX-512 units are told by the name of a Xeon, and are a range without it") {
  struct Named {
    const char* name;
    int per_cycle;
    int at_least;
  };
  for (const Named& each : {Named{"Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", 32, 32},
                            Named{"Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 32, 32},
                            Named{"Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz", 32, 32},
                            Named{"Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz", 16, 16},
                            Named{"Intel(R) Xeon(R) Silver 4214 CPU @ 2.20GHz", 16, 16},
                            Named{"Intel Xeon Processor (Skylake, IBRS)", 32, 16}}) {
    CAPTURE(each.name);
    CpuModel cpu = model("GenuineIntel", 6, 0x55, avx512);
    cpu.name = each.name;
    const Fp64Rate rate = fp64_rate(cpu);
    CHECK(rate.per_cycle == each.per_cycle);
    CHECK(rate.at_least == each.at_least);
    CHECK(rate.note.empty() == (each.per_cycle == each.at_least));
    CHECK_THAT(rate.source, Catch::Contains("Intel ARK"));
  }
}

TEST_CASE("where the model is hidden, CPUID's features decide") {
  CpuModel cpu = model("AuthenticAMD", 0xf, 0x6b, avx2);
  cpu.name = "QEMU Virtual CPU version 2.5+";
  CHECK(fp64_rate(cpu).per_cycle == 16);
  CHECK(fp64_rate(cpu).at_least == 8);
  CHECK(fp64_rate(cpu).note ==
        "a core of 'QEMU Virtual CPU version 2.5+' does 8 to 16 FP64 operations per cycle (two FMA units of "
        "128 "
        "or 256 bits): 16 is taken, so that no efficiency is overstated");
  cpu.datapath_bits = 128;
  CHECK(fp64_rate(cpu).per_cycle == 8);
  CHECK(fp64_rate(cpu).at_least == 8);
  CHECK_THAT(fp64_rate(cpu).source, Catch::StartsWith("by CPUID, two 128-bit FMA units"));
  cpu.datapath_bits = 256;
  CHECK(fp64_rate(cpu).per_cycle == 16);
  CHECK(fp64_rate(cpu).note.empty());
  cpu.flags = avx512;
  CHECK(fp64_rate(cpu).per_cycle == 16);  // Zen 4
  cpu.flags.emplace_back("avx512_vp2intersect");
  CHECK(fp64_rate(cpu).at_least == 16);
  CHECK(fp64_rate(cpu).per_cycle == 32);  // Zen 5, of which some have half

  CHECK(fp64_rate(model("GenuineIntel", 6, 0xa7, avx512)).at_least == 16);  // not in the catalogue
  CHECK(fp64_rate(model("GenuineIntel", 6, 0xa7, avx512)).per_cycle == 32);
  std::vector<std::string> amx = avx512;
  amx.emplace_back("amx_tile");
  CHECK(fp64_rate(model("GenuineIntel", 19, 1, amx)).at_least == 32);
  CHECK(fp64_rate(model("GenuineIntel", 6, 1, {"sse2"})) == Fp64Rate{});
}

TEST_CASE("a virtual machine that states another model than its data path is taken by the data path") {
  CpuModel cpu = model("AuthenticAMD", 0x17, 0x01, {"sse2", "avx", "fma", "avx2", "hypervisor"});
  cpu.datapath_bits = 256;
  CHECK(fp64_rate(cpu).per_cycle == 16);
  CHECK_THAT(fp64_rate(cpu).note, Catch::Contains("states a Zen or Zen+, but CPUID a data path of 256 bits"));
  cpu.datapath_bits = 128;
  CHECK(fp64_rate(cpu).per_cycle == 8);
  CHECK(fp64_rate(cpu).note.empty());
  CHECK_THAT(fp64_rate(cpu).source, Catch::StartsWith("Zen or Zen+, two 128-bit FMA units: AMD"));
}

TEST_CASE("this machine's core is found by CPUID alone") {
  CpuModel here = read_cpu_model("/");
  here.datapath_bits = cpuid_datapath_bits();
  if (here.vendor != "AuthenticAMD" || here.datapath_bits == 0) return;  // nothing to compare with
  const Fp64Rate stated = fp64_rate(here);
  here.family = here.model = 0;
  const Fp64Rate by_features = fp64_rate(here);
  CHECK(by_features.per_cycle >= 8);
  CHECK(by_features.per_cycle >= stated.per_cycle);
  CHECK(by_features.at_least <= stated.per_cycle);
  if (here.datapath_bits == 128) CHECK(by_features.per_cycle == stated.per_cycle);
}

TEST_CASE("a catalogue of processors without a source, a rate or the units of a row is refused") {
  const std::string good =
      "[sources]\nguide = \"guide\"\n[[processors]]\nname = \"Zen\"\nvendor = \"AuthenticAMD\"\nfamily = 23\n"
      "models = [0, 1]\nfp64_flop_per_cycle = 8\nunits = \"two\"\nsource = \"guide\"\n"
      "[[features]]\nvendor = \"AuthenticAMD\"\nflags = [\"avx\"]\nfp64_flop_per_cycle = 8\nunits = \"two\"\n"
      "source = \"guide\"\n";
  REQUIRE(processors_from_toml(good, "p.toml"));
  for (const std::string line : {"name = ", "vendor = ", "family = ", "models = ", "fp64_flop_per_cycle = ",
                                 "units = ", "source = ", "flags = ", "guide = "}) {
    CAPTURE(line);
    const size_t at = good.find("\n" + line) + 1;
    std::string damaged = good;
    damaged.erase(at, good.find('\n', at) + 1 - at);
    CHECK_FALSE(processors_from_toml(damaged, "p.toml"));
  }
}

TEST_CASE("each shipped processor has a rate, or says that it is unknown, and a source") {
  CHECK(processors().models.size() > 20);
  for (const Processor& row : processors().models) {
    CAPTURE(row.name);
    CHECK_FALSE(row.source.empty());
    CHECK((row.fp64_flop_per_cycle > 0) != (row.name == "Cortex-A72"));
  }
}

TEST_CASE("an extension that a hypervisor hides doesn't count") {
  CHECK(flop(model("GenuineIntel", 6, 0x8f, avx2)) == 16);
  CHECK(flop(model("AuthenticAMD", 0x1a, 0x02, avx2)) == 16);
  CHECK(flop(model("AuthenticAMD", 0x19, 0x11, {"sse2", "avx"})) == 8);
  CHECK(flop(model("AuthenticAMD", 0x19, 0x11, {"sse2"})) == 4);
}

TEST_CASE("the base clock comes from the first that states it") {
  MadeUpMachine machine;
  CpuModel cpu;
  cpu.current_mhz = 800;
  SECTION("nothing but /proc/cpuinfo, which is said") {
    const CpuClock clock = read_cpu_clock(machine.root(), cpu, 0);
    CHECK(clock.base_mhz == 800);
    CHECK(clock.max_mhz == 0);
    CHECK(clock.assumed);
    CHECK(clock.note ==
          "base clock 800.0 MHz: the clock at the moment of reading /proc/cpuinfo, as nothing states "
          "the nominal clock");
  }
  SECTION("in a virtual machine that is the time stamp counter's clock") {
    cpu.flags = {"hypervisor"};
    CHECK(read_cpu_clock(machine.root(), cpu, 0) ==
          CpuClock{800, 0, "time stamp counter of the virtual machine",
                   "base clock 800.0 MHz by the time stamp counter of the virtual machine"});
    cpu.flags = {"hypervisor", "aperfmperf"};  // then /proc/cpuinfo has the clock of the moment
    CHECK(read_cpu_clock(machine.root(), cpu, 0).assumed);
  }
  SECTION("CPUID before /proc/cpuinfo") {
    CHECK(read_cpu_clock(machine.root(), cpu, 2100) == CpuClock{2100, 0, "CPUID leaf 16h", ""});
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
    CHECK(read_cpu_clock(machine.root(), cpu, 0) == CpuClock{2000, 3800, "cpufreq, base_frequency", ""});
  }
  SECTION("nothing at all") {
    CHECK(read_cpu_clock(machine.root(), {}, 0).base_mhz == 0);
    CHECK_THAT(read_cpu_clock(machine.root(), {}, 0).note, Catch::Contains("not readable"));
  }
}
