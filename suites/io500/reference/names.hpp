#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace io500 {

/// The names of all data files, as IOR and mdtest have them under the official program's options. '#' stands
/// for digits.
inline constexpr std::array<std::string_view, 6> data_files = {
    "ior-easy/ior_file_easy",
    "ior-easy/ior_file_easy.#",
    "ior-easy/#/ior_file_easy.#",
    "ior-hard/file",
    "mdtest-easy/test-dir.0-0/mdtest_tree.#.0/file.mdtest.#.#",
    "mdtest-hard/test-dir.0-0/mdtest_tree.0/file.mdtest.#.#"};

/// The directories right below the data directory; a site may have laid them out before.
inline constexpr std::array<std::string_view, 4> data_folders = {"ior-easy", "ior-hard", "mdtest-easy",
                                                                 "mdtest-hard"};

/// Proves that the files around it are this program's.
inline constexpr const char* marker_name = ".shakedown-io500";

std::string easy_file(int rank);
std::string mdtest_file(int rank, std::int64_t number);
std::string easy_tree(int rank);
inline constexpr const char* hard_tree = "mdtest_tree.0";
inline constexpr const char* test_folder = "test-dir.0-0";

/// Whether '#' of the pattern can be digits so that it is the name.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace io500
