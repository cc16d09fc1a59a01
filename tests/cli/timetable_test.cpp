#include "orchestrator/cli/support/timetable.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("passes of a week are spread evenly over days, hours or minutes") {
  CHECK(*timetable(7, "02:30") == Timetable{{}, {2}, 30, 0});
  CHECK(*timetable(1, "02:30") == Timetable{{1}, {2}, 30, 0});
  CHECK(*timetable(3, "02:30") == Timetable{{1, 3, 5}, {2}, 30, 0});
  CHECK(*timetable(14, "23:05") == Timetable{{}, {11, 23}, 5, 0});
  CHECK(*timetable(168, "02:30") == Timetable{{}, {}, 30, 0});
  CHECK(*timetable(336, "02:30") == Timetable{{}, {}, 0, 30});
  CHECK(*timetable(10080, "02:30") == Timetable{{}, {}, 0, 1});
}

TEST_CASE("what no timetable can say is refused with the nearest that one can") {
  CHECK(timetable(13, "02:00").error().hint == "7 or 14 have");
  CHECK(timetable(0.5, "02:00").error().hint == "1 have");
  CHECK(timetable(1e6, "02:00").error().hint == "10080 have");
  for (const char* wrong : {"", "2:00", "24:00", "12:60", "12", "aa:bb", "12:00:00"})
    CHECK_FALSE(timetable(7, wrong));
}

TEST_CASE("a word for systemd holds no specifier, no variable and no end of itself") {
  CHECK(systemd_line({"/usr/bin/x", "-w", "/srv/a b"}) == "/usr/bin/x -w \"/srv/a b\"");
  CHECK(systemd_line({"100%", "$HOME", "a\"b\\c", ""}) == "100%% $$HOME \"a\\\"b\\\\c\" \"\"");
  CHECK(systemd_line({"a;b", "c'd", "x\ny"}) == "\"a;b\" \"c'd\" \"x\\ny\"");
}

TEST_CASE("a title with a line break stays within its line") {
  ScheduledPass pass;
  pass.title = "a\nExecStart=/bin/false";
  pass.argv = {"/bin/true"};
  CHECK(systemd_service(pass).find("Description=a ExecStart=/bin/false\n") != std::string::npos);
}

TEST_CASE("a crontab's block of a name is replaced where it stands, and everything else stays") {
  const std::string block = "# x begins\nnew\n# x ends\n";
  CHECK(with_block("", "x", block) == block);
  CHECK(with_block("a\n\nb\n", "x", block) == "a\n\nb\n" + block);
  CHECK(with_block("a\n# x begins\nold\n# x ends\nb\n", "x", block) == "a\n" + block + "b\n");
  CHECK(with_block("# xy begins\nold\n# xy ends\n", "x", block) == "# xy begins\nold\n# xy ends\n" + block);
}
