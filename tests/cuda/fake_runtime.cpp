// Stands in for the part of the CUDA runtime that the screens of GPUs call: "GPUs" are memory of the host,
// and streams do their work at once. What the real programs do around it - threads, choice of devices,
// checks, report - is their own code. FAKE_GPUS: how many there are (2). FAKE_CUDA_WRONG=copy: a word of each
// copy to a GPU is lost.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

thread_local int current = 0;

bool wrong(const char* what) {
  const char* asked = std::getenv("FAKE_CUDA_WRONG");
  return asked != nullptr && std::strcmp(asked, what) == 0;
}

double now_ms() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

cudaError_t copied(void* to, const void* from, size_t bytes, bool damaged) {
  std::memcpy(to, from, bytes);
  if (damaged && bytes > 1024) std::memset(static_cast<char*>(to) + bytes / 2, 0, 8);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  const char* asked = std::getenv("FAKE_GPUS");
  *count = asked == nullptr ? 2 : std::atoi(asked);
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::memset(properties, 0, sizeof *properties);
  std::snprintf(properties->name, sizeof properties->name, "stand-in for a GPU");
  properties->major = 9;
  properties->totalGlobalMem = size_t{4} << 30;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, static_cast<size_t>(length), "00000000:%02X:00.0", device + 1);
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "a stand-in's error";
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return current = device, cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  return *device = current, cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* pointer) {
  return std::free(pointer), cudaSuccess;
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  return cudaMalloc(pointer, bytes);
}
cudaError_t cudaFreeHost(void* pointer) {
  return cudaFree(pointer);
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return std::memset(pointer, value, bytes), cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copied(to, from, bytes, wrong("copy") && kind == cudaMemcpyHostToDevice);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t) {
  return copied(to, from, bytes, wrong("copy"));
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return *can = device != peer, cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return *stream = nullptr, cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new double(0));
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<double*>(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  *reinterpret_cast<double*>(event) = now_ms();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  *ms =
      static_cast<float>(std::max(1e-6, *reinterpret_cast<double*>(end) - *reinterpret_cast<double*>(begin)));
  return cudaSuccess;
}

}  // extern "C"
