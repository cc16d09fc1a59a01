#include "orchestrator/inventory/gpus.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

#include "orchestrator/inventory/nvml.hpp"
#include "orchestrator/inventory/system_file.hpp"

namespace shakedown {
namespace {

/// CUDA cores of one SM by compute capability. Source: CUDA C++ Programming Guide, "Arithmetic Instructions",
/// 32-bit floating-point results per clock cycle per SM.
struct CoresPerSm {
  int major, minor, cores;
};
constexpr CoresPerSm cores_per_sm[] = {
    {6, 0, 64},  {6, 1, 128}, {7, 0, 64},   {7, 5, 64},   {8, 0, 64},   {8, 6, 128},
    {8, 9, 128}, {9, 0, 128}, {10, 0, 128}, {10, 3, 128}, {12, 0, 128},
};

std::int64_t memory_bytes(const nvml::Library& nvml, nvml::Device device) {
  // Version 2 reports how much of the total the driver reserves for itself: no program can have that.
  nvml::MemoryV2 with_reserve{};
  with_reserve.version = nvml::memory_v2;
  if (nvml.call<nvml::DeviceMemoryV2>("nvmlDeviceGetMemoryInfo_v2", device, &with_reserve) == nvml::success)
    return static_cast<std::int64_t>(with_reserve.total - with_reserve.reserved);
  nvml::Memory memory{};
  if (nvml.call<nvml::DeviceMemory>("nvmlDeviceGetMemoryInfo", device, &memory) == nvml::success)
    return static_cast<std::int64_t>(memory.total);
  return 0;
}

int sm_count(const nvml::Library& nvml, nvml::Device device) {
  nvml::Attributes attributes{};
  if (nvml.call<nvml::DeviceAttributes>("nvmlDeviceGetAttributes_v2", device, &attributes) == nvml::success)
    return static_cast<int>(attributes.multiprocessor_count);
  // Many drivers answer the above for MIG instances only; the number of CUDA cores follows from the SMs.
  unsigned cores = 0;
  int major = 0;
  int minor = 0;
  if (nvml.call<nvml::DeviceCores>("nvmlDeviceGetNumGpuCores", device, &cores) != nvml::success) return 0;
  if (nvml.call<nvml::DeviceCapability>("nvmlDeviceGetCudaComputeCapability", device, &major, &minor) !=
      nvml::success)
    return 0;
  for (const CoresPerSm& row : cores_per_sm)
    if (row.major == major && row.minor == minor && static_cast<int>(cores) % row.cores == 0)
      return static_cast<int>(cores) / row.cores;
  return 0;
}

double max_clock_mhz(const nvml::Library& nvml, nvml::Device device, int clock) {
  unsigned mhz = 0;
  if (nvml.call<nvml::DeviceMaxClock>("nvmlDeviceGetMaxClockInfo", device, clock, &mhz) != nvml::success)
    return 0;
  return mhz;
}

std::optional<bool> ecc(const nvml::Library& nvml, nvml::Device device) {
  int current = 0;
  int pending = 0;
  if (nvml.call<nvml::DeviceEcc>("nvmlDeviceGetEccMode", device, &current, &pending) != nvml::success)
    return std::nullopt;
  return current != 0;
}

/// NVML writes "00000000:1B:00.0" where sysfs has "0000:1b:00.0", and the device before the vendor.
void read_pci(const nvml::Library& nvml, nvml::Device device, Gpu& gpu) {
  nvml::PciInfo info{};
  if (nvml.call<nvml::DevicePci>("nvmlDeviceGetPciInfo_v3", device, &info) != nvml::success) return;
  if (info.pci_device_id != 0)
    gpu.pci_id = fmt::format("{:04x}:{:04x}", info.pci_device_id & 0xffffu, info.pci_device_id >> 16);
  std::string address(info.bus_id, strnlen(info.bus_id, sizeof info.bus_id));
  std::transform(address.begin(), address.end(), address.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (address.find(':') == 8 && address.starts_with("0000")) address.erase(0, 4);
  gpu.pci_address = address;
}

/// The readings of one GPU.
class GpuReader {
 public:
  GpuReader(const nvml::Library& nvml, nvml::Device device, unsigned index, std::vector<NodeReading>& into)
      : nvml_(nvml), device_(device), name_(fmt::format("gpu{}", index)), into_(into) {}

  void add(const char* name, std::string value) {
    if (!value.empty()) into_.push_back({name_, name, std::move(value)});
  }
  void text(const char* name, const char* function) { add(name, nvml_.text(function, device_)); }
  void mode(const char* name, const char* function) {
    unsigned on = 0;
    if (nvml_.call<nvml::DeviceMode>(function, device_, &on) == nvml::success) add(name, on ? "on" : "off");
  }
  void clock(const char* name, const char* function, int kind) {
    unsigned value = 0;
    if (nvml_.call<nvml::DeviceClock>(function, device_, kind, &value) == nvml::success)
      add(name, fmt::format("{}", value));
  }

  void ecc() {
    int current = 0;
    int pending = 0;
    if (nvml_.call<nvml::DeviceEcc>("nvmlDeviceGetEccMode", device_, &current, &pending) == nvml::success)
      add("ecc", current != 0 ? "on" : "off");
  }
  void mig() {
    unsigned current = 0;
    unsigned pending = 0;
    if (nvml_.call<nvml::DeviceMig>("nvmlDeviceGetMigMode", device_, &current, &pending) == nvml::success)
      add("mig", current != 0 ? "on" : "off");
  }
  void power_limit() {
    unsigned milliwatts = 0;
    if (nvml_.call<nvml::DeviceMode>("nvmlDeviceGetEnforcedPowerLimit", device_, &milliwatts) ==
        nvml::success)
      add("power_limit_w", fmt::format("{:g}", milliwatts / 1000.0));
  }
  void throttle() {
    unsigned long long bits = 0;
    if (nvml_.call<nvml::DeviceThrottle>("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &bits) !=
        nvml::success)
      return;
    std::string reasons;
    for (const nvml::ThrottleReason& reason : nvml::throttle_reasons)
      if ((bits & reason.bit) != 0) reasons += (reasons.empty() ? "" : ", ") + std::string(reason.name);
    add("throttle", reasons.empty() ? "none" : reasons);
  }
  /// Seconds since the driver was loaded.
  void held_down(const char* name, int by) {
    nvml::ViolationTime time{};
    if (nvml_.call<nvml::DeviceViolation>("nvmlDeviceGetViolationStatus", device_, by, &time) ==
        nvml::success)
      add(name, fmt::format("{:.3f}", static_cast<double>(time.held_ns) * 1e-9));
  }
  void processes() {
    constexpr unsigned room = 64;
    nvml::ProcessInfo list[room] = {};
    unsigned count = room;
    if (nvml_.call<nvml::DeviceProcesses>("nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, list) !=
        nvml::success)
      return;
    add("gpu_processes", fmt::format("{}", count));
    std::string names;
    for (unsigned i = 0; i < std::min(count, room); ++i)
      names += fmt::format("{}{} (pid {})", i == 0 ? "" : ", ",
                           system_value(fmt::format("/proc/{}/comm", list[i].pid)).value_or("a process"),
                           list[i].pid);
    add("gpu_programs", names);
  }

 private:
  const nvml::Library& nvml_;
  nvml::Device device_;
  std::string name_;
  std::vector<NodeReading>& into_;
};

}  // namespace

bool has_nvidia_device(const std::filesystem::path& root) {
  const std::filesystem::path bus = root / "sys/bus/pci/devices";
  for (const std::string& address : names_in(bus)) {
    const auto vendor = system_file(bus / address / "vendor");
    const auto kind = system_file(bus / address / "class");
    if (vendor == "0x10de" && kind && kind->starts_with("0x03")) return true;
  }
  return false;
}

FoundGpus read_gpus(const std::filesystem::path& root, const std::string& library) {
  FoundGpus found;
  nvml::Library nvml(library);
  if (!nvml.loaded()) {
    std::error_code error;
    found.notes.push_back(
        std::filesystem::exists(root / "dev/nvidiactl", error)
            ? fmt::format("GPUs are missing: /dev/nvidiactl is here, but {} can't be loaded: {}", library,
                          "add its folder to LD_LIBRARY_PATH, or to /etc/ld.so.conf.d and run ldconfig")
        : has_nvidia_device(root)
            ? fmt::format("GPUs are missing: the PCI bus has an NVIDIA one, but {} is not here: install its "
                          "driver",
                          library)
            : fmt::format("no NVIDIA GPUs: none on the PCI bus, and {} is not here", library));
    return found;
  }
  if (const nvml::Return code = nvml.start(); code != nvml::success) {
    found.notes.push_back(fmt::format("no NVIDIA GPUs: {}", nvml.reason(code)));
    return found;
  }
  found.driver = nvml.text("nvmlSystemGetDriverVersion");
  unsigned count = 0;
  if (const auto code = nvml.call<nvml::DeviceCount>("nvmlDeviceGetCount_v2", &count); code != nvml::success)
    found.notes.push_back(fmt::format("no NVIDIA GPUs: {}", nvml.reason(code)));
  for (unsigned index = 0; index < count; ++index) {
    nvml::Device device = nullptr;
    const auto code = nvml.call<nvml::DeviceByIndex>("nvmlDeviceGetHandleByIndex_v2", index, &device);
    if (code != nvml::success) {
      found.notes.push_back(fmt::format("GPU {} can't be used: {}", index, nvml.reason(code)));
      continue;
    }
    Gpu gpu;
    gpu.model = nvml.text("nvmlDeviceGetName", device);
    gpu.uuid = nvml.text("nvmlDeviceGetUUID", device);
    gpu.memory_bytes = memory_bytes(nvml, device);
    gpu.sm_count = sm_count(nvml, device);
    gpu.sm_mhz_max = max_clock_mhz(nvml, device, nvml::clock_sm);
    gpu.memory_mhz_max = max_clock_mhz(nvml, device, nvml::clock_memory);
    gpu.ecc = ecc(nvml, device);
    read_pci(nvml, device, gpu);
    const auto node = system_number(root / "sys/bus/pci/devices" / gpu.pci_address / "numa_node");
    gpu.numa_node = static_cast<int>(node.value_or(-1));
    gpu.driver = found.driver;
    gpu.vbios = nvml.text("nvmlDeviceGetVbiosVersion", device);
    if (gpu.memory_bytes == 0) found.notes.push_back(fmt::format("GPU {} does not report its memory", index));
    found.gpus.push_back(std::move(gpu));
  }
  return found;
}

// Without one the linker's search for the library, in dozens of folders, is in vain. NVML loads the driver
// itself by nvidia-modprobe; /dev/dxg is Windows' own, /dev/nvmap that of Tegra.
bool may_have_nvidia_driver() {
  constexpr const char* signs[] = {"/dev/nvidiactl", "/proc/driver/nvidia", "/usr/bin/nvidia-modprobe",
                                   "/dev/dxg", "/dev/nvmap"};
  return std::ranges::any_of(signs, [](const char* path) { return ::access(path, F_OK) == 0; });
}

GpuReadings read_gpu_states(const std::string& library) {
  GpuReadings found;
  const bool is_searched = library.find('/') == std::string::npos;
  if (is_searched && !may_have_nvidia_driver()) return found;
  nvml::Library nvml(library);
  if (!nvml.loaded() || nvml.start() != nvml::success) return found;
  constexpr int gpu_temperature = 0;
  found.driver = nvml.text("nvmlSystemGetDriverVersion");
  unsigned count = 0;
  if (nvml.call<nvml::DeviceCount>("nvmlDeviceGetCount_v2", &count) != nvml::success) return found;
  for (unsigned index = 0; index < count; ++index) {
    nvml::Device device = nullptr;
    if (nvml.call<nvml::DeviceByIndex>("nvmlDeviceGetHandleByIndex_v2", index, &device) != nvml::success)
      continue;
    GpuReader gpu(nvml, device, index, found.readings);
    gpu.text("vbios", "nvmlDeviceGetVbiosVersion");
    gpu.text("inforom", "nvmlDeviceGetInforomImageVersion");
    gpu.ecc();
    gpu.mig();
    gpu.mode("persistence", "nvmlDeviceGetPersistenceMode");
    gpu.power_limit();
    gpu.clock("gpu_clock_mhz", "nvmlDeviceGetApplicationsClock", nvml::clock_sm);
    gpu.clock("memory_clock_mhz", "nvmlDeviceGetApplicationsClock", nvml::clock_memory);
    gpu.clock("gpu_clock_now_mhz", "nvmlDeviceGetClockInfo", nvml::clock_sm);
    gpu.clock("gpu_temperature_c", "nvmlDeviceGetTemperature", gpu_temperature);
    gpu.throttle();
    gpu.held_down("power_held_s", nvml::held_by_power);
    gpu.held_down("heat_held_s", nvml::held_by_heat);
    gpu.processes();
  }
  return found;
}

}  // namespace shakedown
