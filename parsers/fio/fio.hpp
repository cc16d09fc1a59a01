#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/fio/job.hpp"
#include "parsers/json_walk.hpp"

namespace shakedown {

/// Reads fio's JSON (--output-format=json and json+), of clients too.
class FioJson {
 public:
  using Give = std::function<void(FioJob&&, std::string_view version, std::string reason)>;
  /// `ended`: one text is over.
  FioJson(Give give, std::function<void()> ended) : give_(std::move(give)), ended_(std::move(ended)) {}

  /// Whether the line is a part of a JSON text.
  bool read(const LogLine& line);
  void finish();

 private:
  void take(const JsonEvent& event);
  void take_job(const JsonEvent& event, const std::vector<std::string>& path);
  static void take_direction(FioJob& job, const JsonEvent& event, const std::vector<std::string>& path);

  Give give_;
  std::function<void()> ended_;
  JsonWalk walk_{[this](const JsonEvent& event) { take(event); }};
  std::string version_;
  std::vector<Parameter> global_;
  std::optional<FioJob> job_;
  bool any_ = false;  ///< a job of this text was given
  bool is_fio_ = false;
  int last_line_ = 0;
};

}  // namespace shakedown
