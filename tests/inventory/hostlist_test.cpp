#include "orchestrator/inventory/hostlist.hpp"

#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/core/text.hpp"

using namespace shakedown;

namespace {

std::string expanded(std::string_view text) {
  const auto hosts = expanded_hostlist(text);
  return hosts ? joined(*hosts, " ") : hosts.error().what;
}

std::string folded(const std::vector<std::string>& hosts) {
  return folded_hostlist(hosts);
}

}  // namespace

TEST_CASE("a hostlist is expanded in Slurm's notation") {
  const auto [text, hosts] = GENERATE(table<std::string, std::string>({
      {"cn1", "cn1"},
      {"login", "login"},
      {"cn[1-3]", "cn1 cn2 cn3"},
      {"cn[001-003,100],login1", "cn001 cn002 cn003 cn100 login1"},
      {"nid00[111,169-170]", "nid00111 nid00169 nid00170"},
      {"cn[8-11]", "cn8 cn9 cn10 cn11"},
      {"cn[08-11]", "cn08 cn09 cn10 cn11"},
      {"cn[098-101]", "cn098 cn099 cn100 cn101"},
      {"cn[99-101]", "cn99 cn100 cn101"},
      {"cn[0998-1001]", "cn0998 cn0999 cn1000 cn1001"},
      {"cn[0-2]", "cn0 cn1 cn2"},
      {"cn[00-02]", "cn00 cn01 cn02"},
      {"r[1-2]n[01-02]", "r1n01 r1n02 r2n01 r2n02"},
      {"r[1,3]-gpu[2]-x", "r1-gpu2-x r3-gpu2-x"},
      {"cn[1-2].hpc.example.org", "cn1.hpc.example.org cn2.hpc.example.org"},
      {" a1 , a2 ", "a1 a2"},
      {"a[ 1 , 3 ] ,\tb", "a1 a3 b"},
      {"cn[3,1]", "cn3 cn1"},
      {"a[1-2]b[1-2]c", "a1b1c a1b2c a2b1c a2b2c"},
      {"cn[7,0010-0011,12]", "cn7 cn0010 cn0011 cn12"},
      {"[1-2]", "1 2"},
      {"a,A", "a A"},
  }));
  CHECK(expanded(text) == hosts);
}

TEST_CASE("a wrong hostlist is refused with the position of the wrong character") {
  const auto [text, what] = GENERATE(table<std::string, std::string>({
      {"", "the hostlist is empty"},
      {"  ", "the hostlist is empty"},
      {"cn[1-3", "hostlist 'cn[1-3': '[' is never closed at character 3"},
      {"cn[]", "hostlist 'cn[]': expected a number at character 4"},
      {"cn[1-]", "hostlist 'cn[1-]': expected a number at character 6"},
      {"cn[a]", "hostlist 'cn[a]': expected a number at character 4"},
      {"cn[1;2]", "hostlist 'cn[1;2]': expected ',' or ']', found ';' at character 5"},
      {"cn[9-3]", "hostlist 'cn[9-3]': range 9-3 runs backwards at character 4"},
      {"cn[1,009-3]", "hostlist 'cn[1,009-3]': range 009-3 runs backwards at character 6"},
      {"cn[1-010]", "hostlist 'cn[1-010]': the ends of range 1-010 are padded differently at character 4"},
      {"cn[001-10]", "hostlist 'cn[001-10]': the ends of range 001-10 are padded differently at character 4"},
      {"cn1,,cn2", "hostlist 'cn1,,cn2': expected a host name, found ',' at character 5"},
      {"cn1,", "hostlist 'cn1,': expected a host name, found the end at character 5"},
      {"cn1]", "hostlist 'cn1]': expected ',', found ']' at character 4"},
      {"cn1 cn2", "hostlist 'cn1 cn2': expected ',', found 'c' at character 5"},
      {"cn1;reboot", "hostlist 'cn1;reboot': expected ',', found ';' at character 4"},
      {"-oProxyCommand", "hostlist '-oProxyCommand': a host name can't begin with '-' at character 1"},
      {"cn[1-3],cn2", "hostlist 'cn[1-3],cn2': host 'cn2' is listed twice at character 9"},
      {"cn[1-3,2]", "hostlist 'cn[1-3,2]': host 'cn2' is listed twice at character 1"},
      {"cn[1-3],login,cn[7,3]",
       "hostlist 'cn[1-3],login,cn[7,3]': host 'cn3' is listed twice at character 15"},
      {"a[1,11][1,11]", "hostlist 'a[1,11][1,11]': host 'a111' is listed twice at character 1"},
      {"cn[1,1]", "hostlist 'cn[1,1]': host 'cn1' is listed twice at character 1"},
      {"cn[1-1000001]", "hostlist 'cn[1-1000001]': more than 1000000 hosts at character 1"},
      {"a,r[1-10000]n[1-10000]x[1-10000]y[1-10000]z[1-10000]",
       "hostlist 'a,r[1-10000]n[1-10000]x[1-10000]y[1-10000]z[1-10000]': more than 1000000 hosts at "
       "character 3"},
      {"cn[1-99999999999999999999]",
       "hostlist 'cn[1-99999999999999999999]': a number of more than 15 digits at character 6"},
  }));
  CHECK(expanded(text) == what);
}

TEST_CASE("a million hosts are within the limit") {
  const auto hosts = expanded_hostlist("cn[000000-999999]");
  REQUIRE(hosts);
  CHECK(hosts->size() == 1'000'000);
  CHECK(hosts->back() == "cn999999");
}

TEST_CASE("hosts are folded to the shortest notation") {
  CHECK(folded({}).empty());
  CHECK(folded({"login"}) == "login");
  CHECK(folded({"cn1"}) == "cn1");
  CHECK(folded({"cn001", "cn002", "cn003", "cn100", "login1"}) == "cn[001-003,100],login1");
  CHECK(folded({"nid00111", "nid00169", "nid00170"}) == "nid[00111,00169-00170]");
  CHECK(folded({"b2", "a1", "b1"}) == "b[1-2],a1");
  CHECK(folded({"cn099", "cn100"}) == "cn[099-100]");
  CHECK(folded({"cn9", "cn10", "cn09"}) == "cn[9-10,09]");
  CHECK(folded({"cn1", "cn01"}) == "cn[1,01]");
  CHECK(folded({"cn1", "cn1"}) == "cn1");
  CHECK(folded({"r1n1", "r1n2", "r2n1", "r2n2"}) == "r[1-2]n[1-2]");
  CHECK(folded({"r1n1", "r1n2", "r2n1"}) == "r1n[1-2],r2n1");
  CHECK(folded({"cn1.c2.org", "cn2.c2.org"}) == "cn[1-2].c2.org");
}

TEST_CASE("hosts in the order of their number are folded with their gaps, widths and ends") {
  CHECK(folded({"cn8", "cn9", "cn10", "cn11"}) == "cn[8-11]");
  CHECK(folded({"cn08", "cn09", "cn10", "cn11"}) == "cn[08-11]");
  CHECK(folded({"cn098", "cn099", "cn100", "cn1000"}) == "cn[098-100,1000]");
  CHECK(folded({"cn998", "cn999", "cn1000"}) == "cn[998-1000]");
  CHECK(folded({"cn9", "cn010", "cn011"}) == "cn[9,010-011]");
  CHECK(folded({"cn1", "cn3", "cn4", "cn9"}) == "cn[1,3-4,9]");
  CHECK(folded({"cn0", "cn1", "cn2.org"}) == "cn[0-1],cn2.org");
  CHECK(folded({"cn1-ib", "cn2-ib"}) == "cn[1-2]-ib");
  CHECK(folded({"1", "2"}) == "[1-2]");
  CHECK(folded({"r1n8", "r1n9", "r2n8", "r2n9"}) == "r[1-2]n[8-9]");
  CHECK(folded({"cn1", "cn2", "cn2", "cn3"}) == "cn[1-3]");
  // Sixteen digits are a number of fifteen with a digit before it.
  CHECK(folded({"a999999999999998", "a999999999999999"}) == "a[999999999999998-999999999999999]");
  CHECK(folded({"a999999999999999", "a1000000000000000"}) == "a999999999999999,a1000000000000000");
  CHECK(folded({"a1000000000000008", "a1000000000000009"}) == "a1[000000000000008-000000000000009]");
  CHECK(folded({"a1999999999999999", "a2000000000000000"}) == "a1999999999999999,a2000000000000000");
}

TEST_CASE("hosts of one kind are folded alike in any order") {
  const auto number = rc::gen::pair(rc::gen::inRange(0, 1200), rc::gen::inRange(1, 5));
  rc::prop("folded(hosts) == folded(hosts by their number)", [&] {
    const auto pairs = *rc::gen::container<std::vector<std::pair<int, int>>>(number);
    const auto names = [](const std::vector<std::pair<int, int>>& of) {
      std::vector<std::string> hosts(of.size());
      std::ranges::transform(of, hosts.begin(), [](const std::pair<int, int>& each) {
        const std::string digits = std::to_string(each.first);
        const auto width = std::max(static_cast<size_t>(each.second), digits.size());
        return "cn" + std::string(width - digits.size(), '0') + digits;
      });
      return hosts;
    };
    auto in_order = pairs;
    std::ranges::stable_sort(in_order, {}, &std::pair<int, int>::first);
    RC_ASSERT(folded_hostlist(names(pairs)) == folded_hostlist(names(in_order)));
  });
}

TEST_CASE("what is folded expands to the same hosts") {
  const auto number = rc::gen::map(
      rc::gen::pair(rc::gen::inRange(0, 130), rc::gen::inRange(1, 5)), [](std::pair<int, int> drawn) {
        std::string text = std::to_string(drawn.first);
        const auto width = static_cast<size_t>(drawn.second);
        return text.size() < width ? std::string(width - text.size(), '0') + text : text;
      });
  const auto letters = rc::gen::element<std::string>("cn", "r", "node-", "a", "");
  const auto suffix = rc::gen::element<std::string>("", "", ".org", "-ib0");
  const auto host = rc::gen::map(
      rc::gen::tuple(letters, number, rc::gen::element<std::string>("n", "", "x"), number, suffix),
      [](const std::tuple<std::string, std::string, std::string, std::string, std::string>& t) {
        return "h" + std::get<0>(t) + std::get<1>(t) + std::get<2>(t) + std::get<3>(t) + std::get<4>(t);
      });
  rc::prop("expanded(folded(hosts)) == hosts as a set, and folding again changes nothing", [&] {
    auto hosts = *rc::gen::container<std::vector<std::string>>(host);
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    RC_PRE(!hosts.empty());
    const std::string text = folded_hostlist(hosts);
    auto again = expanded_hostlist(text);
    RC_ASSERT(again.has_value());
    RC_ASSERT(folded_hostlist(*again).size() <= text.size());
    std::sort(again->begin(), again->end());
    RC_ASSERT(*again == hosts);
  });
}

TEST_CASE("any text expands or is refused, and never more") {
  rc::prop("no text crashes the reader", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab019[]-, ;")));
    const auto hosts = expanded_hostlist(text);
    if (hosts)
      RC_ASSERT(!hosts->empty());
    else
      RC_ASSERT(!hosts.error().what.empty());
  });
}
