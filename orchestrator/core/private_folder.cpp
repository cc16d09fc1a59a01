#include "orchestrator/core/private_folder.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

namespace shakedown {

namespace fs = std::filesystem;

PrivateFolder::PrivateFolder() {
  std::error_code code;
  std::string name = (fs::temp_directory_path(code) / "shakedown-XXXXXX").string();
  if (!code && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code code;
  if (!path_.empty()) fs::remove_all(path_, code);
}

}  // namespace shakedown
