#include "orchestrator/plan/placeholders.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("known placeholders are filled and the rest stays as it is") {
  const std::vector<Parameter> values = {{"threads", std::int64_t{4}}, {"libexec", std::string("/x/{run}")}};
  CHECK(filled("{threads}", values) == "4");
  CHECK(filled("{libexec}/hpl -t {threads}", values) == "/x/{run}/hpl -t 4");
  CHECK(filled("{run}:/data {", values) == "{run}:/data {");
  CHECK(filled("${HOME} {} {threads", values) == "${HOME} {} {threads");
}

TEST_CASE("placeholders are names in braces, but not a shell's variables") {
  CHECK(placeholders("{run}/a {threads} ${HOME} {} {a b} {") == std::vector<std::string>{"run", "threads"});
}
