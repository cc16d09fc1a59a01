#include <array>
#include <optional>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/nccl/run.hpp"
#include "parsers/parser.hpp"

/// The logs of nccl-tests and rccl-tests. Parameters: collective ("all_reduce"), ranks, min_bytes, max_bytes
/// and sizes of the table, threads, gpus_per_thread, iters. Metrics: max_busbw_gb_s and
/// busbw_at_max_bytes_gb_s (out of place; in place where nothing else was measured), both again with
/// _in_place_gb_s, avg_busbw_gb_s (the program's own average over all sizes and both placements), wrong (the
/// program's own count of failed checks; absent where nothing was checked) and wrong_elements (the sum of
/// #wrong). Facts: `row out-of-place` and `row in-place` ("size count type redop root time algbw busbw wrong"
/// as printed; of more than 512 the furthest off), busbw_sum (cells, their sum at least and at
/// most), table ("whole", or what is missing), rows_unreadable, row_not_finite, row_without_check,
/// validation, out_of_bounds, average_printed, average_check, time_is, max_bytes_asked.
///
/// Source: NVIDIA/nccl-tests 1.0 to 2.19, src/common.cu and src/util.cu; ROCm/rccl-tests, src/common.cu.
namespace shakedown::parser {
namespace {

/// What begins a run, in the order of a log.
enum class Head { none, version, name, options, columns };

Head head_of(std::string_view text) {
  if (!text.starts_with('#') && !text.starts_with('n')) return Head::none;
  if (text.front() == '#') text = trimmed(text.substr(1));
  if (text.starts_with("nccl-tests version ")) return Head::version;
  if (text.starts_with("Collective test starting:")) return Head::name;
  if (text.starts_with("nThread ") && text.find(" nGpus ") != std::string_view::npos) return Head::options;
  if ((text.starts_with("size ") || text.starts_with("bytes ")) && NcclColumns::of(text))
    return Head::columns;
  return Head::none;
}

/// The program of nccl-tests that an echoed command line starts: "all_reduce_perf".
std::string program_in(std::string_view text) {
  const size_t at = text.find("_perf");
  if (at == std::string_view::npos) return {};
  const size_t before = text.find_last_of(" \t/'\"`", at);
  const size_t start = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view name = text.substr(start, at - start);
  constexpr std::array<std::string_view, 11> known = {
      "all_reduce", "all_gather", "reduce_scatter", "alltoall", "alltoallv", "broadcast",
      "reduce",     "gather",     "scatter",        "sendrecv", "hypercube"};
  for (const std::string_view collective : known)
    if (name == collective) return std::string(name) + "_perf";
  return {};
}

class NcclReader : public LogReader {
 public:
  explicit NcclReader(ResultSink sink) : sink_(std::move(sink)) {}

  void read(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    const Head head = head_of(text);
    if (head != Head::none && begins_another(head)) finish();
    if (head != Head::none && !run_) {
      run_.emplace();
      run_->first_line = line.number;
      seen_ = Head::none;
      command_of_run_ = std::exchange(command_, {});
    }
    if (head != Head::none) seen_ = head;
    if (run_ && !run_->concluded) run_->read(line);
    if (run_ && run_->average.empty()) return;
    if (auto program = program_in(text); !program.empty()) command_ = std::move(program);
  }

  void finish() override {
    if (!run_) return;
    sink_(std::move(*run_).concluded_result(command_of_run_));
    run_.reset();
  }

 private:
  /// Whether a head line does not belong to the open run: the run has it already, or has one that belongs
  /// below it.
  [[nodiscard]] bool begins_another(Head head) const {
    return run_ && (run_->concluded || !run_->average.empty() || head <= seen_);
  }

  ResultSink sink_;
  std::optional<NcclRun> run_;
  Head seen_ = Head::none;
  std::string command_;  ///< the last program that a command line outside a run started
  std::string command_of_run_;
};

constexpr std::array<std::string_view, 4> nccl_needles = {"nccl-tests version ",
                                                          "Collective test starting:", "nThread ", " algbw "};

constexpr std::array<std::string_view, 7> nccl_metrics = {"max_busbw_gb_s",
                                                          "avg_busbw_gb_s",
                                                          "busbw_at_max_bytes_gb_s",
                                                          "max_busbw_in_place_gb_s",
                                                          "busbw_at_max_bytes_in_place_gb_s",
                                                          "wrong",
                                                          "wrong_elements"};

}  // namespace

extern const Parser nccl;
const Parser nccl = {
    .id = "nccl",
    .suite = "nccl",
    .needles = nccl_needles,
    .metrics = nccl_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<NcclReader>(std::move(sink));
    },
    .marks = "the '# nThread' line or the 'size count type ... algbw busbw' table of nccl-tests",
};

}  // namespace shakedown::parser
