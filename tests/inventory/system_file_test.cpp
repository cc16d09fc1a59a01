#include "orchestrator/inventory/system_file.hpp"

#include <catch2/catch.hpp>

#include "tests/inventory/made_up_machine.hpp"

using namespace shakedown;

TEST_CASE("the kernel's lists of numbers are read and written") {
  CHECK(number_list("0-3,8\n") == std::vector{0, 1, 2, 3, 8});
  CHECK(number_list("").empty());
  CHECK(number_list("\n").empty());
  CHECK(number_list("0-").empty());
  CHECK(number_list("x").empty());
  CHECK(number_list("0-99999999999").empty());
  CHECK(number_list_text({0, 1, 2, 3, 8}) == "0-3,8");
  CHECK(number_list_text({}).empty());
}

TEST_CASE("a field of a file of fields is found by its whole name") {
  CHECK(field_of("model name\t: x\nmodel\t\t: 17\n", "model") == "17");
  CHECK(field_of("a: 1\na: 2\n", "a") == "1");
  CHECK_FALSE(field_of("a: 1\n", "b"));
}

TEST_CASE("bytes that are not UTF-8 become question marks") {
  CHECK(valid_utf8("plain") == "plain");
  CHECK(valid_utf8("Gr\xC3\xBC\xC3\x9F"
                   "e \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "Gr\xC3\xBC\xC3\x9F"
        "e \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(valid_utf8("a\xFF"
                   "b") == "a?b");
  CHECK(valid_utf8("\xC3") == "?");
  CHECK(valid_utf8("\xC0\xAF") == "??");            // overlong
  CHECK(valid_utf8("\xED\xA0\x80") == "???");       // surrogate
  CHECK(valid_utf8("\xF4\x90\x80\x80") == "????");  // beyond Unicode
}

TEST_CASE("names are sorted as people count") {
  MadeUpMachine machine;
  machine.file("x/eth10", "").file("x/eth2", "");
  CHECK(names_in(machine.root() / "x") == std::vector<std::string>{"eth2", "eth10"});
  CHECK(names_in(machine.root() / "none").empty());
}
