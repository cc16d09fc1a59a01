/// The part of NVIDIA's management library that is used here, declared here because its header comes with
/// the CUDA Toolkit alone. Source: NVML API Reference Guide (docs.nvidia.com/deploy/nvml-api); names and
/// layouts are NVML's. The functions that give a text take (char*, unsigned) last: nvmlSystemGetDriverVersion
/// and nvmlDeviceGet{Name,UUID,VbiosVersion,InforomImageVersion}.
#pragma once
#include <dlfcn.h>
#include <fmt/format.h>
#include <array>
#include <string>

namespace shakedown::nvml {

struct Device_st;
using Device = Device_st*;
using Return = int;

inline constexpr Return success = 0;
inline constexpr Return not_supported = 3;
inline constexpr Return driver_not_loaded = 9;
inline constexpr Return function_not_found = 13;
inline constexpr Return gpu_is_lost = 15;
inline constexpr int clock_sm = 1;
inline constexpr int clock_memory = 2;
inline constexpr unsigned text_size = 96;  // NVML's largest buffer, of names and uuids

struct Memory {
  unsigned long long total, free, used;
};

struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
inline constexpr unsigned memory_v2 = sizeof(MemoryV2) | (2u << 24);

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
  char bus_id[32];
};

struct Attributes {
  unsigned multiprocessor_count, copy_engines, decoders, encoders, jpegs, ofas, gpu_slices, compute_slices;
  unsigned long long memory_mb;
};

/// A process that computes on a device (NVML's second layout of it, of nvmlDeviceGet...Processes_v3).
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_gpu_memory;
  unsigned gpu_instance, compute_instance;
};

/// How long something held a device's clocks down since the driver was loaded.
struct ViolationTime {
  unsigned long long reference_us, held_ns;
};
inline constexpr int held_by_power = 0;  // NVML_PERF_POLICY_POWER
inline constexpr int held_by_heat = 1;   // NVML_PERF_POLICY_THERMAL

/// Bits of nvmlDeviceGetCurrentClocksThrottleReasons, and what NVML calls them.
struct ThrottleReason {
  unsigned long long bit;
  const char* name;
};
inline constexpr ThrottleReason throttle_reasons[] = {
    {0x1, "GPU idle"},
    {0x2, "applications clocks setting"},
    {0x4, "SW power cap"},
    {0x8, "HW slowdown"},
    {0x10, "sync boost"},
    {0x20, "SW thermal slowdown"},
    {0x40, "HW thermal slowdown"},
    {0x80, "HW power brake slowdown"},
    {0x100, "display clock setting"},
};

using Init = Return (*)();                                  // nvmlInit_v2
using Shutdown = Return (*)();                              // nvmlShutdown
using ErrorString = const char* (*)(Return);                // nvmlErrorString
using DeviceCount = Return (*)(unsigned*);                  // nvmlDeviceGetCount_v2
using DeviceByIndex = Return (*)(unsigned, Device*);        // nvmlDeviceGetHandleByIndex_v2
using DeviceMemory = Return (*)(Device, Memory*);           // nvmlDeviceGetMemoryInfo
using DeviceMemoryV2 = Return (*)(Device, MemoryV2*);       // nvmlDeviceGetMemoryInfo_v2
using DeviceMaxClock = Return (*)(Device, int, unsigned*);  // nvmlDeviceGetMaxClockInfo
using DeviceEcc = Return (*)(Device, int*, int*);           // nvmlDeviceGetEccMode
using DevicePci = Return (*)(Device, PciInfo*);             // nvmlDeviceGetPciInfo_v3
using DeviceAttributes = Return (*)(Device, Attributes*);   // nvmlDeviceGetAttributes_v2
using DeviceCores = Return (*)(Device, unsigned*);          // nvmlDeviceGetNumGpuCores
using DeviceCapability = Return (*)(Device, int*, int*);    // nvmlDeviceGetCudaComputeCapability

using DeviceMode = Return (*)(Device, unsigned*);  // nvmlDeviceGet{PersistenceMode,EnforcedPowerLimit}
using DeviceMig = Return (*)(Device, unsigned*, unsigned*);  // nvmlDeviceGetMigMode
using DeviceClock = Return (*)(Device, int,
                               unsigned*);  // nvmlDeviceGet{ApplicationsClock,ClockInfo,Temperature}
using DeviceThrottle = Return (*)(Device, unsigned long long*);   // nvmlDeviceGetCurrentClocksThrottleReasons
using DeviceViolation = Return (*)(Device, int, ViolationTime*);  // nvmlDeviceGetViolationStatus
using DeviceProcesses = Return (*)(Device, unsigned*,
                                   ProcessInfo*);  // nvmlDeviceGetComputeRunningProcesses_v3

/// NVIDIA's management library while it is loaded; initialised between `start` and the end of its life.
class Library {
 public:
  /// Loads it by name; see `loaded` for whether it is here.
  explicit Library(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (started_) call<Shutdown>("nvmlShutdown");
    if (handle_ != nullptr) dlclose(handle_);
  }

  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  Return start() {
    const Return code = call<Init>("nvmlInit_v2");
    started_ = code == success;
    return code;
  }

  /// Calls a function of the library; `function_not_found` where it is too old to have it.
  template <class Function, class... Arguments>
  Return call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function == nullptr ? function_not_found : function(arguments...);
  }

  /// The text that a function of the kind (..., char*, unsigned) returns; empty if it fails. NVML's texts end
  /// in a zero byte within their buffer.
  template <class... Arguments>
  [[nodiscard]] std::string text(const char* name, Arguments... arguments) const {
    std::array<char, text_size> buffer{};
    using Function = Return (*)(Arguments..., char*, unsigned);
    if (call<Function>(name, arguments..., buffer.data(), text_size - 1) != success) return "";
    return buffer.data();
  }

  [[nodiscard]] std::string reason(Return code) const {
    const auto words = reinterpret_cast<ErrorString>(dlsym(handle_, "nvmlErrorString"));
    return words == nullptr ? fmt::format("NVML error {}", code) : words(code);
  }

 private:
  void* handle_;
  bool started_ = false;
};

}  // namespace shakedown::nvml
