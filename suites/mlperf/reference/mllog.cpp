#include "suites/mlperf/reference/mllog.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include "suites/mlperf/reference/trainer.hpp"

namespace training {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

Json::Json(const char* text) : text_(quoted(text)) {}
Json::Json(const std::string& text) : text_(quoted(text)) {}
Json::Json(bool value) : text_(value ? "true" : "false") {}
Json::Json(int number) : text_(std::to_string(number)) {}
Json::Json(long long number) : text_(std::to_string(number)) {}
Json::Json(unsigned long long number) : text_(std::to_string(number)) {}

Json::Json(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  // As Python's json writes them, which is what MLPerf's reader takes.
  text_ = std::isnan(number)   ? "NaN"
          : std::isinf(number) ? (number > 0 ? "Infinity" : "-Infinity")
                               : std::string(digits.data(), end);
}

Json::Json(const std::vector<std::pair<std::string, Json>>& members) {
  for (const auto& [name, value] : members)
    text_ += (text_.empty() ? "{" : ", ") + quoted(name) + ": " + value.text();
  text_ += text_.empty() ? "{}" : "}";
}

void MlLog::point(std::string_view key, const Json& value, const Members& metadata,
                  const Place& place) const {
  line("POINT_IN_TIME", key, value.text(), metadata, place);
}

void MlLog::start(std::string_view key, const Members& metadata, const Place& place) const {
  line("INTERVAL_START", key, Json().text(), metadata, place);
}

void MlLog::stop(std::string_view key, const Members& metadata, const Place& place) const {
  line("INTERVAL_END", key, Json().text(), metadata, place);
}

void MlLog::line(std::string_view type, std::string_view key, const std::string& value, Members metadata,
                 const Place& place) const {
  if (!talks_) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const long long ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  metadata.insert(metadata.begin(),
                  {{"file", file_name(place.file_name())}, {"lineno", static_cast<int>(place.line())}});
  const std::string text = ":::MLLOG {\"namespace\": \"\", \"time_ms\": " + std::to_string(ms) +
                           ", \"event_type\": " + quoted(type) + ", \"key\": " + quoted(key) +
                           ", \"value\": " + value + ", \"metadata\": " + Json(metadata).text() + "}\n";
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

namespace {

/// "AMD EPYC" of /proc/cpuinfo.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    return line.substr(std::min(line.size(), colon + 2));
  }
  return "unknown CPU";
}

std::string platform(const Replicas& replicas) {
  return std::to_string(replicas.nodes()) + "x" + processor() + ", " + std::to_string(replicas.ranks()) +
         (replicas.ranks() == 1 ? " rank" : " ranks");
}

}  // namespace

void log_settings(const Workload& workload, const Replicas& replicas, const MlLog& log,
                  const RunSettings& settings) {
  const Schedule& schedule = workload.schedule;
  log.point("cache_clear", true, {{"note", "data are made in memory: there is no cache to clear"}});
  log.start("init_start");
  log.point("submission_benchmark", workload.benchmark);
  log.point("submission_org", "shakedown reference");
  log.point("submission_division", "open");
  log.point("submission_status", "onprem");
  log.point("submission_platform", platform(replicas));
  log.point("seed", static_cast<unsigned long long>(settings.seed));
  log.point("grammar_seed", static_cast<unsigned long long>(workload.grammar_seed));
  log.point("number_of_ranks", replicas.ranks());
  log.point("number_of_nodes", replicas.nodes());
  log.point("global_batch_size", workload.batch);
  log.point("max_sequence_length", workload.shape.context);
  log.point("train_samples", workload.train_samples);
  log.point("eval_samples", workload.eval_samples);
  log.point("evaluation_frequency", workload.eval_every);
  log.point("max_steps", workload.max_steps);
  log.point("target_accuracy", workload.target);
  log.point("opt_name", "adamw");
  log.point("opt_base_learning_rate", schedule.rate);
  log.point("opt_end_learning_rate", schedule.end_rate);
  log.point("opt_learning_rate_warmup_steps", schedule.warmup_steps);
  log.point("opt_learning_rate_decay_steps", schedule.decay_steps);
  log.point("opt_learning_rate_decay_schedule", "cosine with linear warmup");
  log.point("opt_adamw_beta_1", schedule.beta_1);
  log.point("opt_adamw_beta_2", schedule.beta_2);
  log.point("opt_adamw_epsilon", schedule.epsilon);
  log.point("opt_adamw_weight_decay", schedule.decay);
  log.point("opt_gradient_clip_norm", schedule.clip);
  if (workload.shape.rank > 0) {
    log.point("lora_rank", workload.shape.rank);
    log.point("lora_alpha", Linear<float>::scale * workload.shape.rank);
  }
}

}  // namespace training
