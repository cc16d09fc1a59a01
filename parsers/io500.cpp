#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "parsers/io500_config.hpp"
#include "parsers/io500_join.hpp"
#include "parsers/io500_result.hpp"
#include "parsers/io500_session.hpp"

namespace shakedown::parser {
namespace {

/// One of these stands in every log of IO500, be it cut or failed. The last four are of configurations: a
/// run's own is a part of its results.
constexpr std::array<std::string_view, 13> needles = {
    "IO500 version",       "[RESULT",       "[SCORE",       "t_start         =",          "config-hash     =",
    "IO500 Benchmark now", "[Starting] ",   "FATAL (src/",  "shakedown IO500 reference ", "[ior-easy]",
    "[ior-hard]",          "[mdtest-easy]", "[mdtest-hard]"};

/// Gives each run's result; a copy of the run before it, as job scripts append one with `cat`, is left out.
/// Of a text that is a configuration it gives the part.
class Reader : public LogReader {
 public:
  explicit Reader(ResultSink sink) : sink_(std::move(sink)) {}
  void read(const LogLine& line) override {
    sessions_.read(line);
    config_.read(line);
  }
  void finish() override {
    sessions_.finish();
    if (auto part = config_.part()) sink_(std::move(*part));
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
  std::optional<ParsedResult> last_;
};

}  // namespace

extern const Parser io500;
const Parser io500 = {
    .id = "io500",
    .suite = "io500",
    .needles = needles,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<Reader>(std::move(sink));
    },
    .marks = "an 'IO500 version' line, '[RESULT]' rows or the keys of a result.txt",
    .joined = io500_joined,
};

}  // namespace shakedown::parser
