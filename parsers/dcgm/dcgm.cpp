#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/failures.hpp"
#include "parsers/json_walk.hpp"
#include "parsers/lines.hpp"
#include "parsers/parser.hpp"

/// The JSON of `dcgmi diag -j`, of DCGM 2 to 4. Parameters: driver, gpus (with a result of their own), tests.
/// Metrics: tests_passed, tests_failed, tests_skipped, each a test on all its GPUs together. Facts:
/// `result <category>/<test>` ("Pass", "Fail", "Skip", "Warn"), `worst <category>/<test>` ("GPU 3: Fail:
/// <what DCGM says>"), `note <category>/<test>` (what it says beside a pass), error.
///
/// Source: NVIDIA/DCGM 4.6, dcgmi/Diag.cpp (HelperJsonBuildOutput) and nvvs/include/NvvsJsonStrings.h; DCGM 3
/// has "DCGM GPU Diagnostic", no summary of a test, and "gpu_id" or "gpu_ids" for the entity.
namespace shakedown::parser {
namespace {

constexpr size_t most_dcgm_tests = 500;

/// One entity's result of a test.
struct DcgmEntity {
  std::string group;  ///< "GPU", "CPU"; empty: DCGM 3, a GPU
  std::string id;
  std::string status;
  std::string warning;  ///< the first
  int line = 0;
};

struct DcgmTest {
  std::string name;
  std::string summary;  ///< status of the test as a whole; empty: not printed
  std::string warning;
  int line = 0;
  std::vector<DcgmEntity> entities;
};

/// "PASS" and "Pass" are one.
std::string status_word(std::string_view text) {
  for (const std::string_view known : {"Pass", "Fail", "Skip", "Warn", "Not Run"})
    if (text.size() == known.size() &&
        std::ranges::equal(text, known, [](char a, char b) { return (a | 0x20) == (b | 0x20); }))
      return std::string(known);
  return std::string(text);
}

/// How bad a status is. What is not known counts as a failure: nothing passes by a word nobody has read.
int badness(std::string_view status) {
  if (status == "Not Run") return 0;
  if (status == "Skip") return 1;
  if (status == "Pass") return 2;
  if (status == "Warn") return 3;
  return 4;
}

class DcgmRun {
 public:
  void test(const std::string& category, const DcgmTest& test);
  void version(std::string_view text) { result_.version = text; }
  void driver(std::string_view text) {
    if (find_parameter(result_.parameters, "driver") == nullptr)
      result_.parameters.push_back({"driver", std::string(text)});
  }
  void error(std::string_view text, int line);
  void end() { ended_ = true; }
  [[nodiscard]] ParsedResult result(int last_line) &&;

 private:
  ParsedResult result_;
  std::set<std::string> gpus_;
  std::size_t tests_ = 0;
  std::array<std::int64_t, 3> counts_{};  ///< passed, failed, skipped
  int line_ = 0;
  bool ended_ = false;
  std::optional<Failure> failure_;
};

void DcgmRun::error(std::string_view text, int line) {
  result_.facts.push_back({"error", std::string(text.substr(0, 160)), line});
  note(failure_, Failure{line, 5, quoted_line(line, "dcgmi stopped", text), FailureKind::benchmark});
}

void DcgmRun::test(const std::string& category, const DcgmTest& test) {
  if (++tests_ > most_dcgm_tests) return;
  const DcgmEntity* worst = nullptr;
  const DcgmEntity* remark = nullptr;
  for (const DcgmEntity& entity : test.entities) {
    for (const std::string_view id : split(entity.id, ','))
      if ((entity.group.empty() || entity.group == "GPU") && count_of(trimmed(id)))
        gpus_.insert(std::string(trimmed(id)));
    if (worst == nullptr || badness(entity.status) > badness(worst->status)) worst = &entity;
    if (entity.status == "Pass" && !entity.warning.empty() && remark == nullptr) remark = &entity;
  }
  std::string status = test.summary;
  // A test is no better than the worst of its GPUs.
  if (worst != nullptr && (status.empty() || badness(worst->status) > badness(status)))
    status = worst->status;
  if (status.empty()) status = "Not Run";
  const std::string name = fmt::format("{}/{}", category, test.name);
  line_ = test.line;
  result_.facts.push_back({"result " + name, status, test.line});
  const int bad = badness(status);
  ++counts_.at(bad == 2 ? 0 : bad > 2 ? 1 : 2);
  const auto entity_text = [](const DcgmEntity& entity) {
    return fmt::format("{} {}", entity.group.empty() ? "GPU" : entity.group, entity.id);
  };
  if (bad > 2) {
    std::string text = worst != nullptr && badness(worst->status) > 2
                           ? fmt::format("{}: {}{}{}", entity_text(*worst), worst->status,
                                         worst->warning.empty() ? "" : ": ", worst->warning)
                           : fmt::format("{}{}{}", status, test.warning.empty() ? "" : ": ", test.warning);
    result_.facts.push_back({"worst " + name, text.substr(0, 200), test.line});
  } else if (bad == 2 && (remark != nullptr || !test.warning.empty())) {
    result_.facts.push_back(
        {"note " + name,
         (remark != nullptr ? entity_text(*remark) + ": " + remark->warning : test.warning).substr(0, 200),
         test.line});
  }
}

ParsedResult DcgmRun::result(int last_line) && {
  result_.suite = "dcgm";
  result_.implementation = "dcgmi diag";
  if (!gpus_.empty()) result_.parameters.push_back({"gpus", static_cast<std::int64_t>(gpus_.size())});
  result_.parameters.push_back({"tests", static_cast<std::int64_t>(tests_)});
  if (failure_)
    result_.reason = failure_->text;
  else if (!ended_)
    result_.reason = fmt::format("the JSON ends at line {} without its brace: it is cut", last_line);
  else if (tests_ == 0)
    result_.reason = "dcgmi ran no test";
  else if (tests_ > most_dcgm_tests)
    result_.reason = fmt::format("more than {} tests", most_dcgm_tests);
  result_.complete = result_.reason.empty();
  if (!result_.complete) return std::move(result_);
  constexpr std::array<const char*, 3> names = {"tests_passed", "tests_failed", "tests_skipped"};
  for (size_t i = 0; i < names.size(); ++i)
    result_.metrics.push_back({names.at(i), static_cast<double>(counts_.at(i)), line_});
  return std::move(result_);
}

class DcgmReader : public LogReader {
 public:
  explicit DcgmReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const bool was_within = walk_.within();
    if (walk_.read(line) && run_) last_line_ = line.number;
    // A text that went wrong is over.
    if (was_within && !walk_.within() && run_) give();
  }

  void finish() override {
    walk_.forget();
    if (run_) give();
  }

 private:
  static bool is_root(std::string_view name) {
    return name == "DCGM Diagnostic" || name == "DCGM GPU Diagnostic";
  }

  void take(const JsonEvent& event) {
    using Kind = JsonEvent::Kind;
    const auto& path = walk_.path();
    if (path.empty()) {
      if (event.kind == Kind::begin_object) {
        version_.clear();
        driver_.clear();
      }
      if (event.kind == Kind::end_object && run_) {
        run_->end();
        give();
      }
      return;
    }
    if (path[0] == "metadata" && path.size() == 2 && event.kind == Kind::value) {
      if (path[1] == "version") version_ = event.value;
      if (path[1] == "Driver Version Detected") driver_ = event.value;
    }
    if (!is_root(path[0])) return;
    if (path.size() == 1 && event.kind == Kind::begin_object) {
      run_.emplace();
      last_line_ = event.line;
    }
    if (!run_ || path.size() < 2) return;
    if (path.size() == 2 && event.kind == Kind::value) {
      if (path[1] == "version") version_ = event.value;
      if (path[1] == "Driver Version Detected") driver_ = event.value;
      if (path[1] == "runtime_error") run_->error(event.value, event.line);
    }
    if (path[1] == "test_categories") take_category(event, path);
  }

  /// [root, test_categories, "", tests, "", results, "", warnings, "", warning]
  void take_category(const JsonEvent& event, const std::vector<std::string>& path) {
    using Kind = JsonEvent::Kind;
    if (path.size() == 3 && event.kind == Kind::begin_object) category_.clear();
    if (path.size() == 4 && path[3] == "category" && event.kind == Kind::value) category_ = event.value;
    if (path.size() < 5 || path[3] != "tests") return;
    if (path.size() == 5) {
      if (event.kind == Kind::begin_object) {
        test_ = {};
        test_.line = event.line;
      }
      if (event.kind == Kind::end_object) run_->test(category_, test_);
      return;
    }
    if (path.size() == 6 && path[5] == "name" && event.kind == Kind::value) test_.name = event.value;
    if (path[5] == "test_summary") {
      if (path.size() == 7 && path[6] == "status" && event.kind == Kind::value)
        test_.summary = status_word(event.value);
      if (is_warning(path, 6) && event.kind == Kind::value && test_.warning.empty())
        test_.warning = event.value;
    }
    if (path[5] != "results" || path.size() < 7) return;
    if (path.size() == 7 && event.kind == Kind::begin_object) {
      test_.entities.emplace_back();
      test_.entities.back().line = event.line;
    }
    if (test_.entities.empty() || event.kind != Kind::value) return;
    DcgmEntity& entity = test_.entities.back();
    if (path.size() == 8) {
      if (path[7] == "status") entity.status = status_word(event.value);
      if (path[7] == "entity_group") entity.group = event.value;
      if (path[7] == "entity_id" || path[7] == "gpu_id" || path[7] == "gpu_ids") entity.id = event.value;
      if (path[7] == "warning" && entity.warning.empty()) entity.warning = event.value;
    }
    if (is_warning(path, 7) && entity.warning.empty()) entity.warning = event.value;
  }

  /// warnings / "" / warning, or in DCGM 2 a text in place of the object.
  static bool is_warning(const std::vector<std::string>& path, size_t at) {
    if (path.size() <= at || path[at] != "warnings") return false;
    return path.size() == at + 2 || (path.size() == at + 3 && path[at + 2] == "warning");
  }

  void give() {
    if (!version_.empty()) run_->version(version_);
    if (!driver_.empty()) run_->driver(driver_);
    sink_(std::move(*run_).result(last_line_));
    run_.reset();
  }

  ResultSink sink_;
  JsonWalk walk_{[this](const JsonEvent& event) { take(event); }};
  std::optional<DcgmRun> run_;
  std::string version_;
  std::string driver_;
  std::string category_;
  DcgmTest test_;
  int last_line_ = 0;
};

constexpr std::array<std::string_view, 2> dcgm_needles = {"\"DCGM Diagnostic\"", "\"DCGM GPU Diagnostic\""};

constexpr std::array<std::string_view, 3> dcgm_metrics = {"tests_passed", "tests_failed", "tests_skipped"};

}  // namespace

extern const Parser dcgm;
const Parser dcgm = {
    .id = "dcgm",
    .suite = "dcgm",
    .needles = dcgm_needles,
    .metrics = dcgm_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<DcgmReader>(std::move(sink));
    },
    .marks = "the JSON of dcgmi diag -j",
};

}  // namespace shakedown::parser
