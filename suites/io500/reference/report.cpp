#include "suites/io500/reference/report.hpp"

#include <cmath>
#include <ctime>

#include "suites/io500/reference/text.hpp"

namespace io500 {
namespace {

constexpr const char* mode = "standard";

std::string time_of_day() {
  std::array<char, 32> digits{};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(digits.data(), digits.size(), "%Y-%m-%d %H:%M:%S", &local);
  return digits.data();
}

/// The geometric mean of the group's rows above 0; IO500 ignores the others.
double mean(const std::vector<Row>& rows, Group group) {
  double product = 1;
  int count = 0;
  for (const Row& row : rows)
    if (row.group == group && row.score > 0) {
      product *= row.score;
      ++count;
    }
  return count == 0 ? 0 : std::pow(product, 1.0 / count);
}

}  // namespace

Report::~Report() {
  for (std::FILE* file : {result_, summary_})
    if (file != nullptr) std::fclose(file);
}

Result<void> Report::open(const std::string& folder) {
  for (const auto& [file, name] :
       {std::pair(&result_, "/result.txt"), std::pair(&summary_, "/result_summary.txt")}) {
    const std::string path = folder + name;
    *file = std::fopen(path.c_str(), "we");
    if (*file == nullptr) return tl::unexpected(system_text("can't write " + path));
  }
  return {};
}

void Report::begin(const std::string& section) {
  if (result_ != nullptr) std::fprintf(result_, "%s[%s]\n", section == "run" ? "" : "\n", section.c_str());
}

void Report::pair(const char* key, const std::string& value) {
  if (result_ == nullptr) return;
  std::fprintf(result_, "%-15s = %s\n", key, value.c_str());
  std::fflush(result_);
}

void Report::stamp(const char* key) {
  if (result_ != nullptr) pair(key, time_of_day());
}

void Report::comment(const std::string& words) {
  if (result_ == nullptr) return;
  std::fprintf(result_, "; %s\n",
               words == "START" || words == "END" ? (words + " " + time_of_day()).c_str() : words.c_str());
  std::fflush(result_);
}

void Report::say(const std::string& words) {
  if (result_ == nullptr) return;
  std::printf("%s\n", words.c_str());
  std::fflush(stdout);
}

void Report::both(const std::string& line) {
  if (summary_ == nullptr) return;
  std::fprintf(summary_, "%s\n", line.c_str());
  std::fflush(summary_);
  say(line);
}

void Report::note(const std::string& words) {
  comment(words);
  both(words);
}

void Report::complain(const std::string& place, const std::string& words) {
  comment("ERROR INVALID " + words);
  say(text("ERROR INVALID (%s) %s", place.c_str(), words.c_str()));
}

void Report::banner(int ranks, int nodes) {
  say(text(
      "shakedown IO500 reference 0.1.0  --  the twelve phases on POSIX files\nRanks: %d  Client nodes: %d",
      ranks, nodes));
  both(text("IO500 version %s (%s)", version, mode));
}

void Report::add(const Row& row) {
  if (row.group != Group::none) pair("score", text("%f", row.score));
  both(text("%s %20s %15s %s : time %.3f seconds%s", row.group == Group::none ? "[      ]" : "[RESULT]",
            row.name.c_str(), text("%f", row.score).c_str(), row.name.front() == 'i' ? "GiB/s" : "kIOPS",
            row.seconds, row.valid ? "" : " [INVALID]"));
  rows_.push_back(row);
}

void Report::score(bool valid) {
  if (result_ == nullptr) return;
  std::uint32_t hash = 0;
  add_pair(hash, "version", version);
  for (const Row& row : rows_)
    if (row.group != Group::none) add_pair(hash, row.name, text("%f", row.score));
  const double MD = mean(rows_, Group::metadata);
  const double BW = mean(rows_, Group::bandwidth);
  const double SCORE = std::sqrt(MD * BW);
  add_pair(hash, "MD", text("%f", MD));
  add_pair(hash, "BW", text("%f", BW));
  add_pair(hash, "SCORE", text("%f", SCORE));
  if (!valid) add_pair(hash, "valid", "NO");
  const char* mark = valid ? "" : " [INVALID]";
  begin("SCORE");
  pair("MD", text("%f", MD));
  pair("BW", text("%f", BW));
  pair("SCORE", text("%f%s", SCORE, mark));
  pair("hash", text("%X", hash));
  both(text("[SCORE ] Bandwidth %f GiB/s : IOPS %f kiops : TOTAL %f%s", BW, MD, SCORE, mark));
}

}  // namespace io500
