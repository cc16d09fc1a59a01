#include "orchestrator/inventory/node_gpus.hpp"

#include "orchestrator/inventory/nvml.hpp"

namespace shakedown {
namespace {

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
  void processes() {
    constexpr unsigned room = 64;
    nvml::ProcessInfo list[room];
    unsigned count = room;
    if (nvml_.call<nvml::DeviceProcesses>("nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, list) ==
        nvml::success)
      add("gpu_processes", fmt::format("{}", count));
  }

 private:
  const nvml::Library& nvml_;
  nvml::Device device_;
  std::string name_;
  std::vector<NodeReading>& into_;
};

}  // namespace

GpuReadings read_gpu_states(const std::string& library) {
  GpuReadings found;
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
    gpu.processes();
  }
  return found;
}

}  // namespace shakedown
