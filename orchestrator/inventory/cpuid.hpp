#pragma once
#include <string>

namespace shakedown {

/// The processor's base clock by CPUID leaf 16h in MHz; 0 where there is no such leaf or no x86.
double cpuid_base_mhz();

/// The hypervisor's signature by CPUID leaf 40000000h ("KVMKVMKVM"); empty outside of a virtual machine.
std::string cpuid_hypervisor();

}  // namespace shakedown
