#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// journal.jsonl of a campaign: what was about to be done, one JSON object a line, before it is done.
class Journal {
 public:
  /// Opens or creates it. A line that a full disk cut is closed, so that the next one stands alone.
  static Result<Journal> open(const std::filesystem::path& campaign_folder);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;
  ~Journal();

  /// The highest attempt of a case that was ever about to start; 0: none. Its folder may be missing: a power
  /// loss can take what the journal kept.
  [[nodiscard]] int last_intended(std::string_view case_id) const;
  /// Says that an attempt is about to start. Survives a power loss when it returns.
  Result<void> intend(std::string_view case_id, int attempt);
  /// Notes something that the run directories prove anyway ("collected", "interrupted"); not synced.
  Result<void> note(std::string_view event, std::string_view case_id = {}, int attempt = 0);

 private:
  Journal(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  Result<void> append(std::string_view line);
  int fd_ = -1;
  std::filesystem::path path_;
  std::map<std::string, int, std::less<>> intended_;
};

}  // namespace shakedown
