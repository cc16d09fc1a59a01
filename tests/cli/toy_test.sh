# Adds one of each (a suite, a parser, a launcher, a scheduler, a section and a format of the report, a metric kind,
# a command) to a scratch copy of the tree, where no file that was there is edited, and builds the program with them.
# Only what is new is compiled: the rest is linked from the libraries of this build.
. "$(dirname -- "$0")/check.sh"
: "${PROJECT:?}" "${BUILD:?}" "${BUILD_TYPE:?}"
[ -f "$BUILD/build.ninja" ] || { echo "SKIPPED: $BUILD was not built by ninja"; exit 77; }
tree=$T/tree
mkdir "$tree"
(cd "$PROJECT" && tar cf - CMakeLists.txt cmake orchestrator parsers reports suites site/template LICENSE) | (cd "$tree" && tar xf -)
(cd "$tree" && find . -type f -exec sha256sum {} +) >"$T/before"

mkdir -p "$tree/suites/toy" "$tree/parsers/toy"
cat >"$tree/suites/toy/reference.toml" <<'S'
suite = "toy"
id = "reference"
title = "a toy"
parser = "toy"
tested = "run-here"
program = "echo"
arguments = ["toy hops:", "{hops}"]
install_hint = "none"
launcher = "toy"
rank_per = "node"
source = "tests/cli/toy_test.sh"
S
cat >"$tree/suites/toy/suite.cpp" <<'S'
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::suite {

extern const Suite toy;

namespace {

Result<Case> planned_toy(const PlanRequest& request) {
  const auto layout =
      rank_layout(request.implementation->rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->parameters = {{"hops", std::int64_t{7}}};
  planned->time_limit_s = 60;
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite toy = {.id = "toy", .plan = planned_toy};

}  // namespace shakedown::suite
S
cat >"$tree/suites/toy/facts.cpp" <<'S'
#include <array>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown::facts {

extern const SuiteFacts toy;

namespace {

constexpr std::array toy_headlines = {Headline{"toy_hops"}};
constexpr std::array toy_metrics = {MetricFact{"toy_hops", "hops of the toy", MetricKind{"hops", Better::higher}}};

}  // namespace

const SuiteFacts toy = {
    .id = "toy", .title = "Toy", .about = "A toy that hops", .headlines = toy_headlines, .metrics = toy_metrics};

}  // namespace shakedown::facts
S
cat >"$tree/parsers/toy/toy.cpp" <<'S'
#include <array>

#include "parsers/number.hpp"
#include "parsers/parser.hpp"

namespace shakedown::parser {

extern const Parser toy;

namespace {

constexpr std::string_view toy_row = "toy hops: ";

class ToyReader final : public LogReader {
 public:
  explicit ToyReader(ResultSink sink) : sink_(std::move(sink)) {}
  void read(const LogLine& line) override {
    if (!line.text.starts_with(toy_row)) return;
    ParsedResult result;
    result.suite = "toy";
    result.implementation = "reference";
    result.complete = true;
    result.metrics = {{"toy_hops", static_cast<double>(line.text.back() - '0'), line.number}};
    sink_(std::move(result));
  }
  void finish() override {}

 private:
  ResultSink sink_;
};

constexpr std::array<std::string_view, 1> toy_needles = {toy_row};
constexpr std::array<std::string_view, 1> toy_metrics = {"toy_hops"};

}  // namespace

const Parser toy = {
    .id = "toy",
    .suite = "toy",
    .needles = toy_needles,
    .metrics = toy_metrics,
    .reader = [](ResultSink sink) -> std::unique_ptr<LogReader> {
      return std::make_unique<ToyReader>(std::move(sink));
    },
    .marks = "'toy hops: '",
};

}  // namespace shakedown::parser
S
cat >"$tree/orchestrator/launchers/toy.cpp" <<'S'
#include "orchestrator/launch/launcher.hpp"

namespace shakedown::launcher {

extern const Launcher toy;

const Launcher toy = {
    .id = "toy",
    .program = "env",
    .about = "starts one process and no more",
    .install_hint = "none",
    .argv = [](const Case& planned, const LaunchContext&) -> Result<std::vector<std::string>> {
      std::vector<std::string> argv = {"env", planned.program};
      argv.insert(argv.end(), planned.arguments.begin(), planned.arguments.end());
      return argv;
    },
    .environment = [](const Case&, const LaunchContext&) { return std::vector<Parameter>(); },
    .notes = [](const Case&, const LaunchContext&) { return std::vector<std::string>(); },
};

}  // namespace shakedown::launcher
S
cat >"$tree/orchestrator/schedulers/toy.cpp" <<'S'
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown::scheduler {

extern const SchedulerType toy;
const SchedulerType toy = {
    .id = "toy",
    .about = "takes no job",
    .make = [](const SchedulerSettings&) -> Result<std::unique_ptr<Scheduler>> {
      return fail_environment("toy", "the toy takes no job");
    },
};

}  // namespace shakedown::scheduler
S
cat >"$tree/reports/html/toy.cpp" <<'S'
#include "reports/html/page.hpp"

namespace shakedown::report_section {

extern const ReportSection toy;
const ReportSection toy = {
    .rank = 35,
    .contents = [](const ReportInput&) { return std::vector<ContentsLine>{{"toy", "All about the toy"}}; },
    .html = [](const ReportInput& input) -> Result<std::string> {
      return "<section id=\"toy\">" + escaped(input.campaign.system) + "</section>";
    },
};

}  // namespace shakedown::report_section
S
cat >"$tree/reports/formats/toy.cpp" <<'S'
#include "reports/formats/format.hpp"

namespace shakedown::report_format {

extern const ReportFormat toy;
const ReportFormat toy = {
    .id = "toy",
    .file_name = "toy.txt",
    .render = [](const ReportSource& source) -> Result<std::string> {
      return "toy of " + source.campaign.record.system + "\n";
    },
};

}  // namespace shakedown::report_format
S
cat >"$tree/orchestrator/cli/toy.cpp" <<'S'
#include <CLI/CLI.hpp>
#include <iostream>

#include "orchestrator/cli/command.hpp"
#include "reports/measure/display.hpp"

namespace shakedown::command {

extern const Command toy;
const Command toy = {
    .id = "toy",
    .about = "says how far the toy hops",
    .declare = [](CLI::App&, const CommonOptions&) -> std::function<Result<int>()> {
      return []() -> Result<int> {
        std::cout << metric_title("toy_hops") << ": " << metric_text("toy_hops", 7) << "\n";
        return 0;
      };
    },
};

}  // namespace shakedown::command
S

# cached NAME: a value of this build's configuration.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt"; }
new=$T/new
exits "the tree with the toys is configured" 0 cmake -S "$tree" -B "$new" -G Ninja -DCMAKE_BUILD_TYPE="$BUILD_TYPE" \
  -DSHAKEDOWN_TESTS=OFF -DCMAKE_UNITY_BUILD=OFF -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
  -DCMAKE_CXX_FLAGS="$(cached CMAKE_CXX_FLAGS)" -DCMAKE_CXX_COMPILER_LAUNCHER="$(cached CMAKE_CXX_COMPILER_LAUNCHER)"
objects=$(cd "$new" && ninja -t targets all | sed -n 's/: CXX_COMPILER.*//p' |
  grep -E '/toy(/(suite|facts|toy))?\.cpp\.o$|/generated/(suites|all_suite_facts|parsers|launchers|schedulers|report_sections|report_formats|commands)\.cpp\.o$')
[ "$(printf '%s\n' "$objects" | wc -l)" = 16 ] || fail "the toys and the tables are 16 objects: $objects"
# shellcheck disable=SC2086  # a list
exits "the toys and the tables of the folders are compiled" 0 ninja -C "$new" $objects
set -- $(printf '%s\n' "$objects" | sed "s|^|$new/|")
link=$(cd "$BUILD" && ninja -t commands bin/shakedown | tail -n 1 |
  sed -n 's|^: && ||; s| && :$||; s|-o bin/shakedown|'"$(printf '%s ' "$@")"' -o '"$new"'/bin/shakedown|p')
mkdir -p "$new/bin"
exits "the program with the toys is linked" 0 sh -c "cd '$BUILD' && $link"
rm -rf "$new/libexec"
mkdir -p "$new/libexec"
ln -s "$LIBEXEC" "$new/libexec/shakedown"
check "no file that was there is edited" sh -c "cd '$tree' && sha256sum --quiet -c '$T/before'"

SHAKEDOWN=$new/bin/shakedown
cd "$T" || exit 1
exits "the toys are listed" 0 "$SHAKEDOWN" list
says "the suite" "A toy that hops"
says "the implementation" "toy/reference"
says "the launcher" "starts one process and no more"
says "the scheduler" "takes no job"
says "the parser" "results of toy"
says "the format" "toy.txt"
exits "a toy is planned" 0 "$SHAKEDOWN" plan --suite toy --json
says "with its parameter" '"hops": 7'
echo "toy hops: 5" >toy.log
exits "a toy's log is parsed" 0 "$SHAKEDOWN" parse toy.log
says "to its metric" '"toy_hops":5'
exits "the toy's command runs" 0 "$SHAKEDOWN" toy
says "and knows the metric's name and unit" "hops of the toy: 7.000 hops"
exits "a toy's run is not judged" 3 "$SHAKEDOWN" run --suite toy --here -w w --progress none
exits "it is reported in all formats" 3 "$SHAKEDOWN" report -w w --format html,toy -o page
check "with the toy's section" grep -q 'id="toy"' page/report.html
check "which stands in the contents" grep -q 'All about the toy' page/report.html
check "and the toy's format" grep -q '^toy of ' page/toy.txt
finish
