#pragma once
#include <fcntl.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A file below /proc or /sys, trimmed; nothing where it is absent or can't be read. Everything that
/// discovery reads goes through here with `root` in front ("/" for this machine), so that tests can make
/// machines up.
std::optional<std::string> system_file(const std::filesystem::path& path);

/// As `system_file`, for a file with one value or one record, which the kernel hands out by a single read:
/// those of sysfs and /proc/sys, /proc/<pid>/stat. At most 4 KiB of it. A relative `path` begins in `folder`,
/// an open one. Observers read many of them before and after each case.
std::optional<std::string> system_value(const char* path, int folder = AT_FDCWD);
std::optional<std::string> system_value(const std::filesystem::path& path);

/// From now on `system_value` leaves the files that it is given by an absolute path open, up to a few
/// hundred, and reads them again from there: for one who reads the same ones for each case. The kernel makes
/// their text anew with each read.
void keep_system_files_open();

/// As `system_value`, as a whole number.
std::optional<std::int64_t> system_number(const std::filesystem::path& path);

/// The names in a folder, sorted by length and then letters (eth2 before eth10); empty where there is none.
std::vector<std::string> names_in(const std::filesystem::path& folder);

/// The last part of what a link points to; empty where there is none.
std::string link_name(const std::filesystem::path& link);

/// The kernel's list of numbers, "0-3,8": empty for an empty one and for what is no list.
std::vector<int> number_list(std::string_view text);

/// The same the other way; the numbers ascend.
std::string number_list_text(const std::vector<int>& numbers);

/// The field of `key: value` lines (/proc/cpuinfo, /proc/meminfo, /proc/self/status); first one wins.
std::optional<std::string> field_of(std::string_view text, std::string_view key);

/// `text` with each byte that is not part of valid UTF-8 as '?': file formats that travel demand UTF-8,
/// mount points and firmware strings don't.
std::string valid_utf8(std::string_view text);

}  // namespace shakedown
