#include "orchestrator/campaign/stop_note.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("a stop by hand is noted with who, where, when and how") {
  const TemporaryFolder temporary;
  CHECK_FALSE(stop_note_of(temporary.path));
  const StopNote note = stop_note("shakedown cancel");
  CHECK_FALSE(note.by.empty());
  CHECK(note.host == host_name());
  CHECK(std::abs(note.at_s - now_s()) < 60);
  CHECK(to_string(stop_note_of_check("its budget")).starts_with("stopped by regress on "));
  CHECK(to_string(stop_note_of_check("its budget")).ends_with(" (its budget)"));
  REQUIRE(put_stop_note(temporary.path, {"alice", "login1", "Ctrl-C", 1795284309}));
  REQUIRE(stop_note_of(temporary.path));
  CHECK(to_string(*stop_note_of(temporary.path)) ==
        "stopped by alice on login1 at " + utc_text(1795284309) + " (Ctrl-C)");
}

TEST_CASE("the first who stopped it stays") {
  const TemporaryFolder temporary;
  REQUIRE(put_stop_note(temporary.path, {"alice", "login1", "Ctrl-C", 1}));
  REQUIRE(put_stop_note(temporary.path, {"bob", "login2", "shakedown cancel", 2}));
  CHECK(stop_note_of(temporary.path)->by == "alice");
}

TEST_CASE("what is no note says nobody") {
  CHECK_FALSE(stop_note_from_json(""));
  CHECK_FALSE(stop_note_from_json("2026-11-21T18:05:09Z\n"));
  CHECK_FALSE(stop_note_from_json(R"({"by":7})"));
  const StopNote note{"alice", "login1", "Ctrl-C", 1795284309};
  CHECK(stop_note_from_json(stop_note_json(note)) == note);
}
