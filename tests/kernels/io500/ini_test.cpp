#include "suites/io500/reference/ini.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "suites/io500/reference/text.hpp"

using namespace io500;

namespace {

std::vector<Section> ini_good(const std::string& content) {
  const auto sections = read_ini(content, "t.ini");
  if (!sections) FAIL(sections.error());
  return *sections;
}

std::string ini_refusal(const std::string& content) {
  const auto sections = read_ini(content, "t.ini");
  REQUIRE_FALSE(sections);
  return sections.error();
}

const std::string& value(const std::vector<Section>& sections, std::string_view section,
                         std::string_view key) {
  return key_of(sections, section, key).value;
}

/// A value of the key's kind that it doesn't have by default.
std::string another(const Key& key) {
  switch (key.kind) {
    case Kind::whole:
      return std::to_string(*rc::gen::inRange(0, 1'000'000));
    case Kind::number:
      return std::to_string(*rc::gen::inRange(0, 1000)) + ".5";
    case Kind::truth:
      return *rc::gen::element<std::string>("TRUE", "FALSE");
    case Kind::text:
      break;
  }
  return *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcxyz/.-_09"))));
}

}  // namespace

TEST_CASE("the configuration's hash is the official program's") {
  // Printed by IO500 02091cf for this file with --config-hash.
  const auto sections = ini_good(
      "[global]\ndatadir = ./data\n[debug]\nstonewall-time = 1\n[ior-easy]\nuniqueDir = true\n[find]\nnproc "
      "= 2\n");
  CHECK(config_hash(sections) == 0x67E5C7B4);
}

TEST_CASE("a text's hash turns by two bits and adds each letter; pairs add up in any order") {
  CHECK(hashed("") == 0);
  CHECK(hashed("a") == 'a');
  CHECK(hashed("ab") == 4 * 'a' + 'b');
  CHECK(hashed("b", hashed("a")) == hashed("ab"));
  CHECK(hashed("\x01", 0xC0000000U) == 3 + 1);  // the upper bits come in below
  CHECK(hashed("\xff") == 0xFFFFFFFFU);         // letters are signed
  std::uint32_t forth = 0;
  std::uint32_t back = 0;
  add_pair(forth, "a", "1");
  add_pair(forth, "b", "2");
  add_pair(back, "b", "2");
  add_pair(back, "a", "1");
  CHECK(forth == back);
  CHECK(forth == (hashed("a1") ^ hashed("b2")));
}

TEST_CASE("any configuration is what its own text says, in any order of sections, with the same hash") {
  const bool holds = rc::check([] {
    std::vector<Section> sections = default_sections();
    for (Section& section : sections)
      for (Key& key : section.keys)
        if (*rc::gen::inRange(0, 4) == 0) key.value = another(key);
    const auto read = read_ini(ini_text(sections), "t.ini");
    RC_ASSERT(read.has_value());
    RC_ASSERT(ini_text(*read) == ini_text(sections));
    RC_ASSERT(config_hash(*read) == config_hash(sections));
    std::vector<Section> turned = sections;
    std::reverse(turned.begin(), turned.end());
    RC_ASSERT(ini_text(*read_ini(ini_text(turned), "t.ini")) == ini_text(sections));
  });
  CHECK(holds);
}

TEST_CASE("any text is a configuration or refused with a line: no other way out") {
  const bool holds = rc::check([](const std::string& text) {
    for (const std::string& content : {text, "[global]\n" + text, "[debug]\nstonewall-time = " + text}) {
      const auto sections = read_ini(content, "t.ini");
      if (!sections) RC_ASSERT(sections.error().starts_with("t.ini:"));
    }
  });
  CHECK(holds);
}

TEST_CASE("names compare without case; comments and blanks don't count; an empty value is none") {
  const auto sections = ini_good(
      "# a comment\n; another\n\n  [ Debug ]  # behind a section\r\n\tSTONEWALL-time=7; seconds\r\n"
      "[GLOBAL]\ntimestamp-datadir = false\nresultdir =\nscc = 1\ndatadir = a b # not this");
  CHECK(value(sections, "debug", "stonewall-time") == "7");
  CHECK(key_of(sections, "debug", "stonewall-time").line == 5);
  CHECK(value(sections, "global", "timestamp-datadir") == "FALSE");
  CHECK(value(sections, "global", "scc") == "TRUE");
  CHECK(value(sections, "global", "resultdir") == "./results");
  CHECK(value(sections, "global", "datadir") == "a b");
}

TEST_CASE("what is no configuration is refused with its line") {
  CHECK(ini_refusal("datadir = x\n") == "t.ini:1: 'datadir' stands before the first section");
  CHECK(ini_refusal("\n[bug]\n") == "t.ini:2: IO500 has no section 'bug'");
  CHECK(ini_refusal("[global\n") == "t.ini:1: '[global' is no section");
  CHECK(ini_refusal("[global] x\n") == "t.ini:1: '[global] x' is no section");
  CHECK(ini_refusal("[global]\ndata-dir = x\n") == "t.ini:2: IO500 has no key 'data-dir' in [global]");
  CHECK(ini_refusal("[global]\ndatadir x\n") ==
        "t.ini:2: 'datadir x' is neither a section nor 'key = value'");
  CHECK(ini_refusal("[global]\n= x\n") == "t.ini:2: '= x' is neither a section nor 'key = value'");
  CHECK(ini_refusal("[global]\nscc = maybe\n") == "t.ini:2: scc must be TRUE or FALSE, but is 'maybe'");
  for (const std::string number : {"soon", "-1", "1.5", "1 2", "99999999999999999999"}) {
    INFO(number);
    CHECK(ini_refusal("[debug]\nstonewall-time = " + number + "\n") ==
          "t.ini:2: stonewall-time must be a whole number, 0 or more, but is '" + number + "'");
  }
  CHECK(ini_refusal("[mdworkbench]\nwaitingTime = long\n") ==
        "t.ini:2: waitingTime must be a number, but is 'long'");
}
