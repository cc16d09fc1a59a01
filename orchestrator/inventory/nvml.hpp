#pragma once
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string>

#include "orchestrator/inventory/nvml_api.hpp"

namespace shakedown::nvml {

/// NVIDIA's management library while it is loaded; initialised between `start` and the end of its life.
class Library {
 public:
  /// Loads it by name; `loaded` tells whether it is here.
  explicit Library(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (started_) call<Shutdown>("nvmlShutdown");
    if (handle_ != nullptr) dlclose(handle_);
  }

  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  Return start() {
    const Return code = call<Init>("nvmlInit_v2");
    started_ = code == success;
    return code;
  }

  /// Calls a function of the library; `function_not_found` where it is too old to have it.
  template <class Function, class... Arguments>
  Return call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function == nullptr ? function_not_found : function(arguments...);
  }

  /// What a function of the kind (..., char*, unsigned) says; empty where it fails. NVML's texts end in a
  /// zero byte within their buffer.
  template <class... Arguments>
  [[nodiscard]] std::string text(const char* name, Arguments... arguments) const {
    std::array<char, text_size> buffer{};
    using Function = Return (*)(Arguments..., char*, unsigned);
    if (call<Function>(name, arguments..., buffer.data(), text_size - 1) != success) return "";
    return buffer.data();
  }

  [[nodiscard]] std::string reason(Return code) const {
    const auto words = reinterpret_cast<ErrorString>(dlsym(handle_, "nvmlErrorString"));
    return words == nullptr ? fmt::format("NVML error {}", code) : words(code);
  }

 private:
  void* handle_;
  bool started_ = false;
};

}  // namespace shakedown::nvml
