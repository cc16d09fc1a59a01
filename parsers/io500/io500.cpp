#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "parsers/io500/config.hpp"
#include "parsers/io500/join.hpp"
#include "parsers/io500/phase_output.hpp"
#include "parsers/io500/result.hpp"
#include "parsers/io500/session.hpp"

namespace shakedown::parser {
namespace {

/// Every log of IO500, even cut or failed, has one of these. The last five are of configurations and of the
/// phases' own output: a run's are parts of its results.
constexpr std::array<std::string_view, 14> io500_needles = {"IO500 version",
                                                            "[RESULT",
                                                            "[SCORE",
                                                            "t_start         =",
                                                            "config-hash     =",
                                                            "IO500 Benchmark now",
                                                            "[Starting] ",
                                                            "FATAL (src/",
                                                            "shakedown IO500 reference ",
                                                            "[ior-easy]",
                                                            "[ior-hard]",
                                                            "[mdtest-easy]",
                                                            "[mdtest-hard]",
                                                            "MPI Coordinated Test of Parallel I/O"};

/// Gives each run's result, but skips a copy of the run before it, as job scripts append one with `cat`. Of a
/// text that is a configuration or the output of a phase it gives the part.
class Io500Reader : public LogReader {
 public:
  explicit Io500Reader(ResultSink sink) : sink_(std::move(sink)) {}
  void read(const LogLine& line) override {
    sessions_.read(line);
    config_.read(line);
    phase_.read(line);
  }
  void finish() override {
    sessions_.finish();
    if (auto part = config_.part()) sink_(std::move(*part));
    if (auto part = phase_.part()) sink_(std::move(*part));
  }

 private:
  void take(const Io500Session& session) {
    ParsedResult result = io500_result(session);
    if (result.complete && last_ && is_copy(*last_, result)) return;
    last_ = result;
    sink_(std::move(result));
  }

  static bool is_copy(const ParsedResult& a, const ParsedResult& b) {
    const auto same = [](const std::vector<Phase>& x, const std::vector<Phase>& y) {
      if (x.size() != y.size()) return false;
      for (size_t i = 0; i < x.size(); ++i) {
        const auto other =
            std::find_if(y.begin(), y.end(), [&](const Phase& p) { return p.name == x[i].name; });
        if (other == y.end() || other->value != x[i].value || other->time_s != x[i].time_s ||
            other->valid != x[i].valid)
          return false;
      }
      return true;
    };
    const Fact* score_a = a.fact("SCORE.SCORE");
    const Fact* score_b = b.fact("SCORE.SCORE");
    const Fact* mark_a = a.fact("SCORE.mark");
    const Fact* mark_b = b.fact("SCORE.mark");
    return score_a != nullptr && score_b != nullptr && score_a->value == score_b->value &&
           (mark_a == nullptr) == (mark_b == nullptr) && a.version == b.version && same(a.phases, b.phases);
  }

  ResultSink sink_;
  Io500Sessions sessions_{[this](Io500Session&& session) { take(session); }};
  Io500Config config_;
  Io500PhaseOutput phase_;
  std::optional<ParsedResult> last_;
};

/// Scores, the twelve official phases, and others: a log may name phases that are not known here.
constexpr std::array<std::string_view, 42> io500_metrics = {"score",
                                                            "bandwidth_gib_s",
                                                            "iops_kiops",
                                                            "extended_score",
                                                            "extended_bandwidth_gib_s",
                                                            "extended_iops_kiops",
                                                            "ior_easy_write_gib_s",
                                                            "mdtest_easy_write_kiops",
                                                            "ior_hard_write_gib_s",
                                                            "mdtest_hard_write_kiops",
                                                            "find_kiops",
                                                            "ior_easy_read_gib_s",
                                                            "mdtest_easy_stat_kiops",
                                                            "ior_hard_read_gib_s",
                                                            "mdtest_hard_stat_kiops",
                                                            "mdtest_easy_delete_kiops",
                                                            "mdtest_hard_read_kiops",
                                                            "mdtest_hard_delete_kiops",
                                                            "ior_easy_write_time_s",
                                                            "mdtest_easy_write_time_s",
                                                            "ior_hard_write_time_s",
                                                            "mdtest_hard_write_time_s",
                                                            "find_time_s",
                                                            "ior_easy_read_time_s",
                                                            "mdtest_easy_stat_time_s",
                                                            "ior_hard_read_time_s",
                                                            "mdtest_hard_stat_time_s",
                                                            "mdtest_easy_delete_time_s",
                                                            "mdtest_hard_read_time_s",
                                                            "mdtest_hard_delete_time_s",
                                                            "ior_*_gib_s",
                                                            "mdtest_*_kiops",
                                                            "find_*_kiops",
                                                            "mdworkbench_*_kiops",
                                                            "ior_*_time_s",
                                                            "mdtest_*_time_s",
                                                            "find_*_time_s",
                                                            "mdworkbench_*_time_s",
                                                            "cached_ior_*_gib_s",
                                                            "cached_mdtest_*_kiops",
                                                            "cached_find*_kiops",
                                                            "cached_mdworkbench_*_kiops"};

}  // namespace

extern const Parser io500;
const Parser io500 = {
    .id = "io500",
    .suite = "io500",
    .needles = io500_needles,
    .metrics = io500_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<Io500Reader>(std::move(sink));
    },
    .marks = "an 'IO500 version' line, '[RESULT]' rows or the keys of a result.txt",
    .joined = io500_joined,
};

}  // namespace shakedown::parser
