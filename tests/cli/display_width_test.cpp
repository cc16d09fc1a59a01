#include "orchestrator/cli/text/terminal.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("a sign takes the columns that a terminal shows it in") {
  CHECK(display_width("") == 0);
  CHECK(display_width("hpl-98n") == 7);
  CHECK(display_width("━━─") == 3);
  CHECK(display_width("Jülich") == 6);
  CHECK(display_width("u\u0308") == 1);  // a combining mark
  CHECK(display_width("富岳") == 4);
  CHECK(display_width("🚀") == 2);
  CHECK(display_width("\xff\xfe") == 2);   // no UTF-8
  CHECK(display_width("a\xe2\x94") == 3);  // cut in a sign
}

TEST_CASE("a text is cut between signs, and the cut is marked") {
  CHECK(cut_to("hpl-98n", 7, "…") == "hpl-98n");
  CHECK(cut_to("hpl-98n", 6, "…") == "hpl-9…");
  CHECK(cut_to("富岳富岳", 8, "…") == "富岳富岳");
  CHECK(cut_to("富岳富岳", 7, "…") == "富岳富…");
  CHECK(cut_to("富岳富岳", 6, "…") == "富岳…");  // a wide sign would not fit before the mark
  CHECK(cut_to("abc", 0, "…").empty());
  for (int columns = 0; columns < 12; ++columns)
    CHECK(display_width(cut_to("aü富━b岳c", columns, ">")) <= columns);
}

TEST_CASE("a text is padded by columns, not by bytes") {
  CHECK(padded_to("岳", 4) == "岳  ");
  CHECK(padded_to("long", 2) == "long");
}

TEST_CASE("a line of a terminal holds nothing that moves the cursor") {
  CHECK(one_line("a\nb\x1b[2Jc\td") == "a b\\u001b[2Jc d");
  CHECK(one_line("\xC2\x9B"
                 "2J \xC2\xB5s") == "\\u009b2J \xC2\xB5s");
}
