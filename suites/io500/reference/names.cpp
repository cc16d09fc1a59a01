#include "suites/io500/reference/names.hpp"

#include "suites/io500/reference/text.hpp"

namespace io500 {

std::string easy_file(int rank) {
  return text("ior_file_easy.%08d", rank);
}

std::string mdtest_file(int rank, std::int64_t number) {
  return "file.mdtest." + std::to_string(rank) + "." + std::to_string(number);
}

std::string easy_tree(int rank) {
  return "mdtest_tree." + std::to_string(rank) + ".0";
}

bool matches(std::string_view pattern, std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!pattern.empty()) {
    if (name.empty()) return false;
    if (pattern.front() == '#') {
      if (!is_digit(name.front())) return false;
      while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
    } else {
      if (name.front() != pattern.front()) return false;
      name.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return name.empty();
}

}  // namespace io500
