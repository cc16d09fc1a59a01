#pragma once
#include <string>

namespace shakedown {

/// The processor's base clock by CPUID leaf 16h in MHz; 0 where there is no such leaf or no x86.
double cpuid_base_mhz();

/// Width of an AMD core's floating-point data path in bits by CPUID Fn8000_001A: 128, or 256 for at least
/// 256; 0 where it is not stated, for processors before Zen and for other vendors.
///
/// Source: AMD64 Architecture Programmer's Manual, volume 3 (24594), "Performance Optimization Identifiers".
int cpuid_datapath_bits();

/// The hypervisor's signature by CPUID leaf 40000000h ("KVMKVMKVM"); empty outside of a virtual machine.
std::string cpuid_hypervisor();

}  // namespace shakedown
