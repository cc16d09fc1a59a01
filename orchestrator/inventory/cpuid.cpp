#include "orchestrator/inventory/cpuid.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <array>
#include <cstring>

namespace shakedown {

double cpuid_base_mhz() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0x16, &eax, &ebx, &ecx, &edx) == 0) return 0;
  return eax & 0xffffu;
}

std::string cpuid_hypervisor() {
  constexpr unsigned hypervisor_bit = 1u << 31;
  std::array<unsigned, 4> r{};
  if (__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) == 0 || (r[2] & hypervisor_bit) == 0) return "";
  __cpuid(0x40000000, r[0], r[1], r[2], r[3]);
  std::array<char, 13> signature{};
  std::memcpy(signature.data(), &r[1], 12);
  return signature.data();
}

}  // namespace shakedown

#else

namespace shakedown {
double cpuid_base_mhz() {
  return 0;
}
std::string cpuid_hypervisor() {
  return "";
}
}  // namespace shakedown

#endif
