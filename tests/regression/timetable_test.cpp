#include "orchestrator/regression/timetable.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("checks of a week are spread evenly over days, hours or minutes") {
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
  ScheduledCheck each;
  each.title = "a\nExecStart=/bin/false";
  each.argv = {"/bin/true"};
  CHECK(systemd_service(each).find("Description=a ExecStart=/bin/false\n") != std::string::npos);
}

TEST_CASE("a crontab's block of a name is replaced where it stands, and everything else stays") {
  const std::string block = "# x begins\nnew\n# x ends\n";
  const auto with = [&](const std::string& crontab) {
    return with_block("crontab", crontab, "x", block).value();
  };
  CHECK(with("") == block);
  CHECK(with("a\n\nb\n") == "a\n\nb\n" + block);
  CHECK(with("a\n# x begins\nold\n# x ends\nb\n") == "a\n" + block + "b\n");
  CHECK(with("# xy begins\nold\n# xy ends\n") == "# xy begins\nold\n# xy ends\n" + block);
}

TEST_CASE("a block without an end is left alone, since the lines behind it may be anybody's") {
  for (const char* crontab : {"MAILTO=hpc\n# x begins\nold\n15 3 * * * backup\n",
                              "\n# x begins\nold\n# x begins\nold\n# x ends\n"}) {
    const auto refused = with_block("crontab", crontab, "x", "new");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "crontab, line 2");
    CHECK(refused.error().what == "'# x begins' has no line '# x ends' behind it");
  }
}

TEST_CASE("who is not root reads that a timer needs lingering, unless it is on") {
  const TemporaryFolder folder;
  CHECK(linger_remark(false, "ann", folder.path) ==
        "a timer of ann runs only while ann is logged in, until `loginctl enable-linger` is called");
  CHECK(linger_remark(true, "root", folder.path).empty());
  std::ofstream(folder.path / "ann") << "";
  CHECK(linger_remark(false, "ann", folder.path).empty());
}
