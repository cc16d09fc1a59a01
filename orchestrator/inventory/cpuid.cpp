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

int cpuid_datapath_bits() {
  constexpr unsigned optimisation_leaf = 0x8000001a;
  constexpr unsigned fp128 = 1u << 0;
  constexpr unsigned fp256 = 1u << 2;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0 || ebx != signature_AMD_ebx) return 0;
  // Two modules' cores shared such units before Zen.
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || ((eax >> 8) & 0xf) < 0xf) return 0;
  if (const unsigned extended = (eax >> 20) & 0xff; extended > 0 && extended < 0x8) return 0;
  if (__get_cpuid(optimisation_leaf, &eax, &ebx, &ecx, &edx) == 0) return 0;
  return (eax & fp256) != 0 ? 256 : (eax & fp128) != 0 ? 128 : 0;
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
int cpuid_datapath_bits() {
  return 0;
}
std::string cpuid_hypervisor() {
  return "";
}
}  // namespace shakedown

#endif
