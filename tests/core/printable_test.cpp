#include "orchestrator/core/text.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("text stays as it is") {
  for (const std::string text : {"", "a\tb\n", "Jülich · 富岳 🚀", "\u202F≥"}) CHECK(printable(text) == text);
}

TEST_CASE("control and format characters are written out, as JSON escapes them") {
  CHECK(printable("\x1b[2J\r\x7f") == "\\u001b[2J\\u000d\\u007f");
  CHECK(printable(std::string("\0x", 2)) == "\\u0000x");
  CHECK(printable("\u009b2J") == "\\u009b2J");
  CHECK(printable("a\u202eb\u2066c\u200fd\ufeff") == "a\\u202eb\\u2066c\\u200fd\\ufeff");
  CHECK(printable("\u2028\u2029") == "\\u2028\\u2029");
  CHECK(printable("\U000E0041") == "\\udb40\\udc41");
  CHECK(printable("\u200d\u200c") == "\u200d\u200c");  // joiners belong to words
}

TEST_CASE("bytes that are no UTF-8 are written out") {
  CHECK(printable("\x9b[2J\xff") == "\\x9b[2J\\xff");
  CHECK(printable("\xc0\xaf\xed\xa0\x80") == "\\xc0\\xaf\\xed\\xa0\\x80");  // overlong, a surrogate
  CHECK(printable("a\xe2\x94") == "a\\xe2\\x94");                           // cut
}

TEST_CASE("a terminal of eight bits is given no byte that it takes for a control character") {
  CHECK(printable("Ûä", TextEncoding::eight_bit) == "\\u00dbä");
}

TEST_CASE("the beginning of a character waits for its end") {
  std::string shown;
  CHECK(append_printable(shown, "a\xe2\x80") == 1);
  CHECK(shown == "a");
}

TEST_CASE("a line stays one") {
  CHECK(printable_line("a\nverdict  accepted\tb") == "a verdict  accepted b");
}

TEST_CASE("a shell word holds nothing that a terminal obeys") {
  CHECK(shell_quoted("a b\x1b[2J") == "'a b'\"$(printf '\\033')\"'[2J'");
  CHECK(shell_quoted("\xff") == "\"$(printf '\\377')\"");
  CHECK(shell_quoted("a\nb") == "'a\nb'");
}

TEST_CASE("a command's first word is neither an assignment nor a word of the shell") {
  CHECK(shell_command("A=b") == "'A=b'");
  CHECK(shell_command("if") == "'if'");
  CHECK(shell_command("/bin/a=b") == "'/bin/a=b'");
  CHECK(shell_command("mpirun") == "mpirun");
}
