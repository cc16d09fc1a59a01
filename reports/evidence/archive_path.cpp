#include "reports/evidence/archive_path.hpp"

#include <fmt/format.h>

#include <charconv>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::size_t longest_path = 4096;
constexpr std::size_t longest_part = 255;

bool is_plain_byte(char c) {
  return c >= ' ' && c <= '~' && c != '%';
}

}  // namespace

std::string archive_path(std::string_view path) {
  std::string name;
  for (const char c : path)
    if (is_plain_byte(c))
      name += c;
    else
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return name;
}

std::string path_of_archive(std::string_view name) {
  std::string path;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned byte = 0;
    const char* digits = name.data() + i + 1;
    if (name[i] == '%' && name.size() - i > 2 &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += name[i];
    }
  }
  return path;
}

std::string wrong_archive_path(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > longest_path) return fmt::format("is longer than {} bytes", longest_path);
  if (name.front() == '/') return "is absolute";
  const std::string path = path_of_archive(name);
  if (archive_path(path) != name || path.find('\0') != std::string::npos)
    return "holds bytes that a bundle writes otherwise";
  // The parts of both are the same ones: '/' is written as itself.
  for (const std::string_view part : split(path, '/')) {
    if (part == "..") return "leads out of its folder";
    if (part.empty() || part == ".") return "has an empty part";
    if (part.size() > longest_part) return fmt::format("has a part of more than {} bytes", longest_part);
  }
  return "";
}

}  // namespace shakedown
