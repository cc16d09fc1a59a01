#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace shakedown {

/// A folder that represents "/" and is filled by a test; removed at its end.
class MadeUpMachine {
 public:
  MadeUpMachine() {
    std::string name = (std::filesystem::temp_directory_path() / "shakedown-machine-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  MadeUpMachine(const MadeUpMachine&) = delete;
  MadeUpMachine& operator=(const MadeUpMachine&) = delete;
  ~MadeUpMachine() { std::filesystem::remove_all(root_); }

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  MadeUpMachine& file(std::string_view path, std::string_view content) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
    return *this;
  }
  MadeUpMachine& folder(std::string_view path) {
    std::filesystem::create_directories(root_ / path);
    return *this;
  }
  /// `target` is relative to the link's folder.
  MadeUpMachine& link(std::string_view path, std::string_view target) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_symlink(target, root_ / path);
    return *this;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace shakedown
