#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "suites/io500/reference/text.hpp"

namespace io500 {

/// What result.txt and its hash call this program; IO500's own version would be another program's.
inline constexpr const char* version = "shakedown-reference-0.1.0";

/// The mean that a phase enters.
enum class Group { none, bandwidth, metadata };

/// A phase's row.
struct Row {
  std::string name;
  Group group = Group::none;
  double score = 0;
  double seconds = 0;  ///< of the whole phase
  bool valid = true;
};

/// result.txt, result_summary.txt and standard output in IO500's grammar. On other ranks than 0 it writes
/// nothing. Source: IO500, src/main.c.
class Report {
 public:
  Report() = default;
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  /// Opens the files in the directory, which exists.
  Result<void> open(const std::string& folder);

  void begin(const std::string& section);
  void pair(const char* key, const std::string& value);
  void stamp(const char* key);             ///< the time of day
  void comment(const std::string& words);  ///< result.txt
  void say(const std::string& words);      ///< standard output
  void note(const std::string& words);     ///< in all three; a comment in result.txt
  void complain(const std::string& place, const std::string& words);  ///< "ERROR INVALID" in both
  void banner(int ranks, int nodes);
  void add(const Row& row);
  /// The means, the score and its hash.
  void score(bool valid);

 private:
  void both(const std::string& line);
  std::FILE* result_ = nullptr;
  std::FILE* summary_ = nullptr;
  std::vector<Row> rows_;
};

}  // namespace io500
