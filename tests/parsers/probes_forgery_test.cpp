#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

/// A log with one value altered, and the rule that must catch it.
struct ProbesForgeryForgery {
  const char* fixture;
  const char* genuine;  ///< occurs once in the fixture
  const char* forged;
  const char* rule;
};

const std::vector<ProbesForgeryForgery> probes_forgery_forgeries = {
    // a better bus bandwidth at the largest size
    {"nccl-all-reduce.out", " 78.74 ", " 98.74 ", "NCCL-02"},
    // both bandwidths of a row, but not its time
    {"nccl-all-reduce.out", " 44.99   78.74 ", " 55.00   96.25 ", "NCCL-03"},
    // the time of a row alone
    {"nccl-all-reduce.out", "  190911 ", "  150911 ", "NCCL-03"},
    // no time at all, at any bandwidth
    {"nccl-all-reduce.out", "  190911   44.99   78.74 ", "    0.00 9999.00 17498.25 ", "NCCL-03"},
    // the average
    {"nccl-all-reduce.out", ": 45.9152 ", ": 55.9152 ", "NCCL-04"},
    // a size
    {"nccl-all-reduce.out", "  8589934592    2147483648", "  4294967296    2147483648", "NCCL-05"},
    // a wrong value with the footer "OK"
    {"nccl-wrong.out", ": 1 FAILED", ": 0 OK", "NCCL-01"},
    // STREAM's triad, its time, the size of its arrays
    {"stream-fortran.out", "7373.0", "8373.0", "STREAM-02"},
    {"stream-fortran.out", "0.065103", "0.055103", "STREAM-02"},
    {"stream-fortran.out", "Array size =   20000000", "Array size =   40000000", "STREAM-02"},
    {"stream-fortran.out", "0.102869", "0.202869", "STREAM-03"},
    {"nvidia-stream.out", "3031456.0437", "4331456.0437", "STREAM-02"},
    {"gpu-stream.out", "2990.50 89.21", "3190.50 89.21", "STREAM-05"},
    // a count of wrong values below 0
    {"gpu-burn.out", "errors: 0 - 0   temps: 62 C", "errors: 0 - -3   temps: 62 C", "BURN-03"},
    // fio's latencies: the mean above the largest or below the least, one below 0
    {"fio-text.out", "lat (usec): min=35, max=8267, avg=125.71", "lat (usec): min=35, max=126, avg=325.71",
     "FIO-05"},
    {"fio-text.out", "lat (usec): min=35, max=8267, avg=125.71", "lat (usec): min=35, max=8267, avg=25.71",
     "FIO-05"},
    {"fio-text.out", "lat (usec): min=35, max=8267, avg=125.71", "lat (usec): min=-35, max=8267, avg=125.71",
     "FIO-05"},
    {"fio-text.out", "clat (usec): min=35, max=8267, avg=125.68", "clat (usec): min=35, max=8267, avg=25.68",
     "FIO-05"},
    {"fio-json.txt", "68219.706055", "98219706.055", "FIO-05"},
    {"fio-json.txt", "68260.700195", "98260700.195", "FIO-05"},
    {"fio-text.out", "IOPS=7476", "IOPS=-7476", "FIO-03"},
    {"fio-text.out", "BW=29.2MiB/s", "BW=-29.2MiB/s", "FIO-02"},
    {"osu-bibw-validated.out", "1615.06", "-1615.06", "OSU-06"},
    // nvbandwidth's sums
    {"nvbandwidth.out", "SUM device_to_device_memcpy_read_ce 732.95",
     "SUM device_to_device_memcpy_read_ce 832.95", "NVB-02"},
    {"nvbandwidth-json.txt", "\"366.716\"", "\"466.716\"", "NVB-02"},
};

/// OSU's and fio's logs are of real runs, so that their values are looked up.
std::string second_word_of_last_row(const std::string& text) {
  const size_t row = text.rfind("4194304");
  const size_t at = text.find_first_not_of(' ', row + 7);
  return text.substr(at, text.find_first_of(" \n", at) - at);
}

}  // namespace

TEST_CASE("a log of a probe with one altered value is caught by a rule") {
  for (const ProbesForgeryForgery& forgery : probes_forgery_forgeries) {
    INFO(forgery.fixture << ": " << forgery.genuine << " -> " << forgery.forged);
    std::string text = logs::fixture("probes/" + std::string(forgery.fixture));
    for (const ParsedResult& result : logs::parsed(text))
      if (std::string_view(forgery.fixture) != "nccl-wrong.out")
        CHECK(logs::rule(logs::judge(result), forgery.rule).status != RuleStatus::fail);
    const size_t at = text.find(forgery.genuine);
    REQUIRE(at != std::string::npos);
    text.replace(at, std::string_view(forgery.genuine).size(), forgery.forged);
    const auto results = logs::parsed(text);
    REQUIRE_FALSE(results.empty());
    const auto broken = std::ranges::find_if(results, [&](const ParsedResult& result) {
      return logs::rule(logs::judge(result), forgery.rule).status == RuleStatus::fail;
    });
    REQUIRE(broken != results.end());
    CHECK(logs::judge(*broken).validity == Validity::invalid);
  }
}

TEST_CASE("a row of nccl-tests without #wrong among rows that have it is not known to be right") {
  const std::string genuine = logs::fixture("probes/nccl-all-reduce.out");
  REQUIRE(logs::judge(logs::parsed(genuine).front()).validity == Validity::valid);
  const Judged judged =
      logs::judge(logs::parsed(logs::replaced(genuine, "  78.74       0", "  78.74     N/A")).front());
  CHECK(logs::rule(judged, "NCCL-01").status == RuleStatus::unknown);
  CHECK(judged.validity == Validity::unknown);
}

TEST_CASE("an altered bandwidth or overlap of a real OSU run is caught") {
  const std::string rates = logs::fixture("probes/osu-mbw-mr.out");
  const std::string genuine = second_word_of_last_row(rates);
  std::string forged = rates;
  forged.replace(forged.rfind(genuine), genuine.size(), "9" + genuine);
  CHECK(logs::rule(logs::judge(logs::parsed(rates).front()), "OSU-02").status == RuleStatus::pass);
  CHECK(logs::rule(logs::judge(logs::parsed(forged).front()), "OSU-02").status == RuleStatus::fail);
}

TEST_CASE("an altered bandwidth, IOPS or number of operations of a real fio run is caught") {
  const std::string text = logs::fixture("probes/fio-json.txt");
  const ParsedResult genuine = logs::parsed(text).front();
  for (const auto& [fact, rule] :
       std::vector<std::pair<std::string, std::string>>{{"read bw other", "FIO-02"},
                                                        {"read io", "FIO-02"},
                                                        {"read iops", "FIO-03"},
                                                        {"read ios", "FIO-03"}}) {
    INFO(fact);
    std::string value = logs::fact(genuine, fact);
    value = value.substr(0, value.find_first_not_of("0123456789."));
    REQUIRE_FALSE(value.empty());
    std::string forged = text;
    forged.replace(forged.find(" : " + value) + 3, value.size(), "9" + value);
    const Judged judged = logs::judge(logs::parsed(forged).front());
    CHECK(logs::rule(judged, rule).status == RuleStatus::fail);
    CHECK(judged.validity == Validity::invalid);
  }
}
