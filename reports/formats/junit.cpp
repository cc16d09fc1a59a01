#include <fmt/format.h>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/template.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/tally.hpp"

namespace shakedown {
namespace {

/// A text between tags or quotes: XML 1.0 has no control characters but tab and line ends.
std::string xml_text(std::string_view text) {
  return escaped(printable(text));
}

/// How JUnit's readers count a test case. An undecided criterion that is mandatory is an error: it must not
/// look like a success. What decides nothing is skipped.
enum class Kind { success, failure, error, skipped };

Kind kind_of(const CriterionResult& criterion) {
  if (criterion.verdict == Verdict::pass) return Kind::success;
  if (criterion.waived || criterion.severity != CriterionSeverity::mandatory) return Kind::skipped;
  return criterion.verdict == Verdict::fail ? Kind::failure : Kind::error;
}

struct Counts {
  int tests = 0;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
};

std::string test_case(Counts& counts, std::string_view classname, std::string_view name, Kind kind,
                      std::string_view type, std::string_view message, std::string_view more) {
  ++counts.tests;
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(classname), xml_text(name));
  const auto element = [&](std::string_view tag, int& count) {
    ++count;
    text += tag == "skipped" ? fmt::format(">\n      <skipped message=\"{}: {}\"/>", type, xml_text(message))
                             : fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>", tag, type,
                                           xml_text(message), xml_text(more));
  };
  switch (kind) {
    case Kind::success:
      if (message.empty()) return text + "/>\n";
      text += fmt::format(">\n      <system-out>{}</system-out>", xml_text(message));
      break;
    case Kind::failure:
      element("failure", counts.failures);
      break;
    case Kind::error:
      element("error", counts.errors);
      break;
    case Kind::skipped:
      element("skipped", counts.skipped);
      break;
  }
  return text + "\n    </testcase>\n";
}

/// The verdict is a test case of its own: a campaign without criteria, or one whose commitment is broken,
/// must not look like a success.
Result<std::string> render_junit(const ReportSource& source) {
  const MeasuredCampaign& measured = source.campaign;
  const Judgement& judgement = source.judgement;
  const CampaignRecord& campaign = measured.record;
  Counts counts;
  const Kind overall = judgement.overall == Verdict::pass   ? Kind::success
                       : judgement.overall == Verdict::fail ? Kind::failure
                                                            : Kind::error;
  std::string cases = test_case(counts, campaign.kind, "verdict", overall, to_string(judgement.overall),
                                overall == Kind::success ? "" : judgement.sentence, "");
  for (const CriterionResult& each : judgement.criteria) {
    std::string text = each.full_title();
    for (const std::string& reason : node_reasons(each)) text += "\n" + reason;
    cases += test_case(counts, fmt::format("{}.{}", campaign.kind, each.suite), each.id, kind_of(each),
                       each.waived ? verdict_text(each) : std::string(to_string(each.verdict)),
                       each.verdict == Verdict::pass && !each.is_short ? "" : each.because, text);
  }
  const std::string sums = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                                       counts.tests, counts.failures, counts.errors, counts.skipped);
  const std::string properties =
      judgement.redaction
          ? fmt::format("    <properties><property name=\"redaction\" value=\"{}\"/></properties>\n",
                        xml_text(judgement.redaction->what))
          : "";
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"shakedown\" {0}>\n"
      "  <testsuite name=\"{1}\" timestamp=\"{2}\" {0}>\n{4}{3}  </testsuite>\n</testsuites>\n",
      sums, xml_text(campaign.id), utc_text(campaign.created_s), cases, properties);
}

}  // namespace

namespace report_format {
extern const ReportFormat junit;
const ReportFormat junit = {.id = "junit", .file_name = "junit.xml", .render = render_junit};
}  // namespace report_format

}  // namespace shakedown
