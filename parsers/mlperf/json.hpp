#pragma once
#include <memory>
#include <string_view>

#include "parsers/mlperf/event.hpp"

namespace shakedown {

/// Reads the JSON object of a logging line.
class MlperfJson {
 public:
  MlperfJson();
  ~MlperfJson();
  MlperfJson(const MlperfJson&) = delete;
  MlperfJson& operator=(const MlperfJson&) = delete;

  /// Adds what the object at the start of `json` says to `event`, whose views live until the next call. What
  /// follows the object is left aside, and bytes that are no UTF-8 are taken as Latin-1, as the official
  /// reader takes all. False, with `event` as it was, where the object is not whole.
  bool read(std::string_view json, MlperfEvent& event);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace shakedown
