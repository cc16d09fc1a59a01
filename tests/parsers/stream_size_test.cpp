// STREAM's demand on the length of its arrays, held against other programs' logs.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "orchestrator/core/file.hpp"
#include "tests/parsers/logs.hpp"
#include "tests/skip.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// The rules of a report's first result on a node with a last-level cache of `cache` bytes.
Judged on_node(const std::string& text, std::int64_t cache, int gpus = 0) {
  const ParsedResult result = parsed(text).front();
  Case planned;
  planned.nodes = 1;
  planned.hosts = "n1";
  Inventory inventory;
  inventory.groups.resize(1);
  NodeGroup& group = inventory.groups.front();
  group.hosts = "n1";
  group.usable.cores = 1;
  group.cpu.caches = {{2, 1 << 20, 1}, {3, cache, 1}};
  group.gpus.resize(static_cast<std::size_t>(gpus));
  Evidence evidence;
  evidence.result = &result;
  evidence.planned = &planned;
  evidence.inventory = &inventory;
  return judged(evidence);
}

RuleStatus size_status(const Judged& judged, const char* id) {
  return rule(judged, id).status;
}

}  // namespace

TEST_CASE("BabelStream's arrays are held against the caches of the node as STREAM's are") {
  for (const char* name : {"babelstream.out", "babelstream-csv.txt"}) {  // 2^20 doubles
    INFO(name);
    const std::string text = fixture(std::string("probes/") + name);
    CHECK(size_status(on_node(text, 2 << 20), "STREAM-06") == RuleStatus::pass);
    CHECK(size_status(on_node(text, 32 << 20), "STREAM-06") == RuleStatus::fail);
    CHECK(on_node(text, 32 << 20).validity == Validity::invalid);
    CHECK(size_status(on_node(text, 2 << 20), "STREAM-06b") == RuleStatus::not_applicable);
  }
  // OpenMP on a node with GPUs runs on the processors all the same.
  const std::string text = fixture("probes/babelstream.out");
  CHECK(size_status(on_node(text, 32 << 20, 8), "STREAM-06") == RuleStatus::fail);
}

TEST_CASE("BabelStream on a GPU is held against the caches of GPUs, not of the processors") {
  const std::string text =
      replaced(fixture("probes/babelstream.out"), "Implementation: OpenMP", "Implementation: CUDA");
  const Judged small = on_node(text, 1 << 20, 1);
  CHECK(size_status(small, "STREAM-06") == RuleStatus::not_applicable);
  CHECK(size_status(small, "STREAM-06b") == RuleStatus::fail);
  CHECK(small.validity == Validity::invalid);
  // The size of an array as it is printed, and its elements.
  const auto of_size = [&](const std::string& elements, const std::string& size) {
    return size_status(on_node(replaced(replaced(text, "1048576", elements), "8.4 MB", size), 1 << 20, 1),
                       "STREAM-06b");
  };
  CHECK(of_size("33554432", "268.4 MB") == RuleStatus::unknown);  // more than L2, less than Infinity Cache
  CHECK(of_size("134217728", "1073.7 MB") == RuleStatus::pass);
}

TEST_CASE(
    "a real log of BabelStream's kernels on GPUs has arrays large enough, and one that is changed not") {
  const char* variable = std::getenv("SHAKEDOWN_CORPUS");
  const fs::path corpus =
      variable != nullptr ? fs::path(variable) : fs::path(PROJECT_FOLDER) / ".." / "shared" / "corpus";
  const auto text = file_content(corpus / "probes" / "gpu_stream.log");
  if (!text) {
    skip("no folder of real logs at " + corpus.string() + "; SHAKEDOWN_CORPUS names another");
    return;
  }
  const auto results = parsed(*text);  // 4 GiB a buffer
  REQUIRE_FALSE(results.empty());
  for (const ParsedResult& result : results)
    CHECK(size_status(judge(result), "STREAM-06b") == RuleStatus::pass);
  for (const ParsedResult& result : parsed(replaced(*text, "4294967296", "4194304"))) {
    CHECK(size_status(judge(result), "STREAM-06b") == RuleStatus::fail);
    CHECK(judge(result).validity == Validity::invalid);
  }
}
