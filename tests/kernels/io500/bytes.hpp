#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace io500 {

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The 8-byte word number `i`, as this machine has it in memory.
inline std::uint64_t word_of(const std::string& bytes, std::size_t i) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
  return word;
}

/// Turns one byte of a file around.
inline void spoil(const std::string& path, std::streamoff at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const char found = static_cast<char>(file.get());
  file.seekp(at);
  file.put(static_cast<char>(~found));
}

}  // namespace io500
