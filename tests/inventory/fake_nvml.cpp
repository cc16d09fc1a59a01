// A fake libnvidia-ml.so.1 with two GPUs of its own; FAKE_NVML names what goes wrong. FAKE_NVML_RECORD is a
// file with what `nvidia-smi -q` printed of one GPU: then the library answers that. The prototypes are
// written out after NVML's reference, not taken from the code under test.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr int success = 0;
constexpr int not_supported = 3;
constexpr int insufficient_size = 7;
constexpr int driver_not_loaded = 9;
constexpr int gpu_is_lost = 15;
constexpr int argument_version_mismatch = 25;

bool wrong(const char* what) {
  const char* asked = std::getenv("FAKE_NVML");
  return asked != nullptr && std::string(asked).find(what) != std::string::npos;
}

int gpus[2];
int started = 0;

/// The value of `key` in the record, within `section` or at the GPU itself; empty without a record.
std::string recorded(const std::string& section, const std::string& key) {
  const char* path = std::getenv("FAKE_NVML_RECORD");
  if (path == nullptr || *path == 0) return "";
  std::ifstream file(path);
  std::string line;
  std::string now;
  while (std::getline(file, line)) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    const size_t colon = line.find(" : ");
    std::string name = line.substr(first, colon == std::string::npos ? colon : colon - first);
    name.erase(name.find_last_not_of(' ') + 1);
    if (first <= 4) now = colon == std::string::npos ? name : "";
    if (name == key && now == section && colon != std::string::npos) return line.substr(colon + 3);
  }
  return "";
}

bool has_record() {
  return !recorded("", "Product Name").empty();
}

unsigned long long recorded_mib(const char* key) {
  return std::strtoull(recorded("FB Memory Usage", key).c_str(), nullptr, 10) << 20;
}

int text(char* buffer, unsigned size, const std::string& value) {
  if (value.size() + 1 > size) return insufficient_size;
  std::memcpy(buffer, value.c_str(), value.size() + 1);
  return success;
}

int index(void* device) {
  return static_cast<int>(static_cast<int*>(device) - gpus);
}

struct Memory {
  unsigned long long total, free, used;
};
struct MemoryV2 {
  unsigned int version;
  unsigned long long total, reserved, free, used;
};
struct PciInfo {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
};
struct Attributes {
  unsigned int multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount, sharedEncoderCount,
      sharedJpegCount, sharedOfaCount, gpuInstanceSliceCount, computeInstanceSliceCount;
  unsigned long long memorySizeMB;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
  if (wrong("no-driver")) return driver_not_loaded;
  ++started;
  return success;
}
int nvmlShutdown() {
  --started;
  return success;
}
int fakeNvmlStarted() {
  return started;
}
const char* nvmlErrorString(int code) {
  return code == driver_not_loaded ? "Driver Not Loaded"
         : code == gpu_is_lost     ? "GPU is lost"
                                   : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* buffer, unsigned size) {
  return text(buffer, size, has_record() ? recorded("", "Driver Version") : "550.90.07");
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  if (wrong("no-count")) return gpu_is_lost;
  *count = has_record() ? 1 : 2;
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned number, void** device) {
  if (wrong("lost-gpu") && number == 1) return gpu_is_lost;
  *device = gpus + number;
  return success;
}
int nvmlDeviceGetName(void*, char* buffer, unsigned size) {
  if (has_record()) return text(buffer, size, recorded("", "Product Name"));
  return text(buffer, size, "NVIDIA H100 80GB HBM3");
}
int nvmlDeviceGetUUID(void* device, char* buffer, unsigned size) {
  return text(buffer, size,
              index(device) == 0 ? "GPU-5d4c0b6e-0000-0000-0000-000000000000"
                                 : "GPU-5d4c0b6e-0000-0000-0000-000000000001");
}
int nvmlDeviceGetVbiosVersion(void*, char* buffer, unsigned size) {
  if (has_record()) return text(buffer, size, recorded("", "VBIOS Version"));
  return wrong("silent") ? not_supported : text(buffer, size, "96.00.74.00.1A");
}
int nvmlDeviceGetMemoryInfo_v2(void*, MemoryV2* memory) {
  if (memory->version != (sizeof(MemoryV2) | (2u << 24))) return argument_version_mismatch;
  if (wrong("silent") || wrong("old")) return not_supported;
  memory->total = has_record() ? recorded_mib("Total") : 85520809984ULL;
  memory->reserved = has_record() ? recorded_mib("Reserved") : 578813952ULL;
  memory->used = 1ULL << 20;
  memory->free = memory->total - memory->reserved - memory->used;
  return success;
}
int nvmlDeviceGetMemoryInfo(void*, Memory* memory) {
  if (wrong("silent")) return not_supported;
  *memory = {85520809984ULL, 85520809984ULL, 0};
  return success;
}
int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) {
  if (wrong("silent")) return not_supported;
  *mhz = type == 1 ? 1980 : type == 2 ? 2619 : 1;
  if (has_record())
    *mhz = static_cast<unsigned>(
        std::strtoul(recorded("Max Clocks", type == 1 ? "SM" : "Memory").c_str(), nullptr, 10));
  return success;
}
int nvmlDeviceGetEccMode(void*, int* current, int* pending) {
  if (wrong("silent")) return not_supported;
  *current = wrong("ecc-off") ? 0 : 1;
  *pending = 1;
  return success;
}
int nvmlDeviceGetInforomImageVersion(void*, char* buffer, unsigned size) {
  return wrong("silent") ? not_supported : text(buffer, size, "G520.0200.00.05");
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
  if (wrong("silent")) return not_supported;
  *current = wrong("mig") && index(device) == 1 ? 1 : 0;
  *pending = 0;
  return success;
}
int nvmlDeviceGetPersistenceMode(void*, unsigned* mode) {
  if (wrong("silent")) return not_supported;
  *mode = 1;
  return success;
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  if (wrong("silent")) return not_supported;
  *milliwatts = wrong("capped") && index(device) == 1 ? 500000 : 700000;
  return success;
}
int nvmlDeviceGetApplicationsClock(void*, int type, unsigned* mhz) {
  if (wrong("silent")) return not_supported;
  *mhz = type == 1 ? 1980 : type == 2 ? 2619 : 1;
  return success;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  if (wrong("silent")) return not_supported;
  *mhz = type == 1 ? 345 : 1;
  return success;
}
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* degrees) {
  if (wrong("silent") || sensor != 0) return not_supported;
  *degrees = 31;
  return success;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  if (wrong("silent")) return not_supported;
  *bits = wrong("hot") ? 0x48 : 0x1;
  return success;
}
struct ViolationTime {
  unsigned long long referenceTime, violationTime;
};
int nvmlDeviceGetViolationStatus(void*, int policy, ViolationTime* time) {
  if (wrong("silent") || policy > 1) return not_supported;
  *time = {0, policy == 0 ? 2500000000ULL : 1250000ULL};
  return success;
}
struct ProcessInfo {
  unsigned pid;
  unsigned long long usedGpuMemory;
  unsigned gpuInstanceId, computeInstanceId;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, ProcessInfo* list) {
  if (wrong("silent")) return not_supported;
  *count = wrong("shared") && index(device) == 0 ? 2 : 0;
  for (unsigned i = 0; i < *count; ++i) list[i] = {i == 0 ? 1U : 4194305U, 0, 0, 0};  // the last can't be
  return success;
}
int nvmlDeviceGetPciInfo_v3(void* device, PciInfo* info) {
  if (wrong("silent")) return gpu_is_lost;
  info->pciDeviceId = 0x233010DE;
  if (has_record()) {
    info->pciDeviceId =
        static_cast<unsigned>(std::strtoul(recorded("PCI", "Device Id").c_str(), nullptr, 16));
    return text(info->busId, sizeof info->busId, recorded("PCI", "Bus Id"));
  }
  std::snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "0000:1B:00.0");
  std::snprintf(info->busId, sizeof info->busId, "00000000:%s:00.0", index(device) == 0 ? "1B" : "DB");
  return success;
}
int nvmlDeviceGetAttributes_v2(void*, Attributes* attributes) {
  if (!wrong("mig")) return not_supported;
  attributes->multiprocessorCount = 16;
  return success;
}
int nvmlDeviceGetNumGpuCores(void*, unsigned* cores) {
  if (wrong("silent")) return not_supported;
  *cores = 16896;
  return success;
}
int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
  *major = wrong("future") ? 99 : 9;
  *minor = 0;
  return success;
}
}
