#include "suites/io500/reference/command.hpp"

namespace io500 {
namespace {

std::string transfers(const Settings& settings, bool write) {
  if (!write) return " -r -R";
  return text(" -w -D %lld -O stoneWallingWearOut=1", static_cast<long long>(settings.stonewall_s));
}

}  // namespace

std::string easy_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write) {
  std::string command = text("shakedown-ior -g -G %d -k -e -o %s/ior-easy/ior_file_easy -C -Q 1 -t %s -b %s",
                             static_cast<int>(seed), datadir.c_str(), settings.transfer_text.c_str(),
                             settings.block_text.c_str());
  if (settings.unique_dir) command += " -u";
  if (settings.file_per_process) command += " -F";
  command += transfers(settings, write);
  command +=
      (write ? settings.direct_write : settings.direct_read) ? " -a POSIX --posix.odirect" : " -a POSIX";
  return command;
}

std::string hard_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write) {
  return text("shakedown-ior -C -Q 1 -g -G=%d -k -e -o %s/ior-hard/file -t 47008 -b 47008 -s %lld",
              static_cast<int>(seed), datadir.c_str(), static_cast<long long>(settings.segments)) +
         transfers(settings, write) + " -a POSIX";
}

std::string files_command(const Settings& settings, const std::string& datadir, std::uint32_t seed, bool hard,
                          char operation) {
  std::string command =
      hard ? text("shakedown-mdtest -n %lld -t -w 3901 -e 3901 -P -G=%d -N 1 -F -d %s/mdtest-hard",
                  static_cast<long long>(settings.hard_files), static_cast<int>(seed), datadir.c_str())
           : text("shakedown-mdtest -n %lld -u -L -F -P -G %d -N 1 -d %s/mdtest-easy",
                  static_cast<long long>(settings.easy_files), static_cast<int>(seed), datadir.c_str());
  command += text(" -%c", operation);
  if (operation == 'C') command += text(" -Y -W %lld", static_cast<long long>(settings.stonewall_s));
  if (operation == 'E') command += " -X";
  return command + " -a POSIX";
}

std::string find_command(const std::string& datadir, const std::string& resultdir) {
  return text("shakedown-find %s -newer %s/timestampfile -size 3901c -name *01*", datadir.c_str(),
              resultdir.c_str());
}

}  // namespace io500
