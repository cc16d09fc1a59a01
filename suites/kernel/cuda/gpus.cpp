#include "suites/kernel/cuda/gpus.hpp"

#include <sched.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "suites/kernel/option.hpp"

namespace kernel {
namespace {

std::string error_text(cudaError_t status) {
  return std::string(cudaGetErrorString(status)) + " (CUDA error " + std::to_string(status) + ")";
}

/// Why no GPU can be used, by what CUDA says when it is asked for their number.
std::string without_gpu(cudaError_t status) {
  if (status == cudaErrorNoDevice)
    return "no usable GPU: CUDA shows none here: CUDA_VISIBLE_DEVICES hides them, the job was given "
           "none, or the driver lost them";
  int driver = 0;
  const bool known = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
  if (!known)
    return "no usable GPU: no NVIDIA driver is loaded on this node (libcuda.so.1 is missing): " +
           error_text(status);
  return "no usable GPU: the driver is for CUDA " + std::to_string(driver / 1000) + "." +
         std::to_string(driver % 1000 / 10) + ", this program is built for " +
         std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10) + ": " +
         error_text(status);
}

}  // namespace

tl::expected<std::vector<Gpu>, std::string> usable_gpus(int wanted) {
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess)
    return tl::unexpected(without_gpu(status));
  if (count == 0) return tl::unexpected(without_gpu(cudaErrorNoDevice));
  if (wanted > 0 && count != wanted)
    return tl::unexpected("no usable set of GPUs: " + std::to_string(count) + " visible, " +
                          std::to_string(wanted) + " asked for: one is lost, or the job was not given all");
  std::vector<Gpu> gpus;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    demand(cudaGetDeviceProperties(&properties, device),
           "reading the properties of GPU " + std::to_string(device));
    std::array<char, 32> pci{};
    demand(cudaDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), device), "reading a PCI address");
    gpus.push_back({properties.name, pci.data(), properties.major * 10 + properties.minor,
                    properties.totalGlobalMem, static_cast<std::size_t>(properties.l2CacheSize)});
  }
  return gpus;
}

void print_devices(const std::vector<Gpu>& gpus) {
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu)
    std::printf("Device %zu: %s, sm_%d, %s\n", gpu, gpus[gpu].name.c_str(), gpus[gpu].capability,
                gpus[gpu].pci.c_str());
}

void demand(cudaError_t status, std::string_view what) {
  if (status == cudaSuccess) return;
  std::fflush(stdout);
  int device = -1;
  const bool known = cudaGetDevice(&device) == cudaSuccess;
  std::fprintf(stderr, "%s: %s%.*s: %s\n", program_invocation_short_name,
               known ? ("GPU " + std::to_string(device) + ": ").c_str() : "", static_cast<int>(what.size()),
               what.data(), error_text(status).c_str());
  std::_Exit(no_gpu);
}

void stay_near(const Gpu& gpu) {
  std::string address = gpu.pci;  // "00000000:19:00.0"; sysfs has four digits of the domain, in lower case
  if (address.size() == 16) address.erase(0, 4);
  for (char& c : address) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::ifstream file("/sys/bus/pci/devices/" + address + "/local_cpulist");
  cpu_set_t allowed;
  if (!file || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t near;
  CPU_ZERO(&near);
  char separator = ',';
  for (int first = 0; separator == ',' && file >> first;) {
    int last = first;
    if (file.get(separator) && separator == '-') {
      file >> last;
      if (!file.get(separator)) separator = '\n';
    }
    for (int cpu = first; cpu <= last && cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &near);
  }
  if (CPU_COUNT(&near) > 0) sched_setaffinity(0, sizeof near, &near);
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  demand(cudaMalloc(&data_, bytes), "allocating " + std::to_string(bytes) + " bytes");
}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(data_, other.data_);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (data_ != nullptr) cudaFree(data_);
}

StreamTimer::StreamTimer() {
  demand(cudaEventCreate(&begin_), "creating an event");
  demand(cudaEventCreate(&end_), "creating an event");
}

StreamTimer::~StreamTimer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

void StreamTimer::start(cudaStream_t stream) {
  demand(cudaEventRecord(begin_, stream), "recording an event");
}

double StreamTimer::stop(cudaStream_t stream) {
  demand(cudaEventRecord(end_, stream), "recording an event");
  demand(cudaStreamSynchronize(stream), "waiting for the GPU");
  float milliseconds = 0;
  demand(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading a time");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace kernel
