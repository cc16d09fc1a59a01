#include "orchestrator/regression/notification.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/launch/process.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("a secret is the one line of its file, or a variable, without its line break") {
  const TemporaryFolder folder;
  RegressionNotice notice;
  CHECK(*webhook_secret(notice) == "");
  notice.secret_file = (folder.path / "secret").string();
  CHECK_FALSE(webhook_secret(notice));
  std::ofstream(notice.secret_file) << "Bearer abc\n";
  CHECK(*webhook_secret(notice) == "Bearer abc");
  std::ofstream(notice.secret_file) << "abc\r\nX-Other: def\n";
  REQUIRE_FALSE(webhook_secret(notice));
  CHECK(webhook_secret(notice).error().what.find("def") == std::string::npos);
  std::ofstream(notice.secret_file) << "\n";
  CHECK(webhook_secret(notice).error().what == "holds no secret");
  notice.secret_file.clear();
  notice.secret_environment = "SHAKEDOWN_TEST_SECRET";
  ::unsetenv("SHAKEDOWN_TEST_SECRET");
  CHECK(webhook_secret(notice).error().where == "$SHAKEDOWN_TEST_SECRET");
  ::setenv("SHAKEDOWN_TEST_SECRET", "xyz", 1);
  CHECK(*webhook_secret(notice) == "xyz");
}

TEST_CASE("curl reads address, header and payload from its configuration, whatever is in them") {
  RegressionNotice notice;
  notice.timeout_s = 7;
  const std::string text = curl_configuration(notice, "https://x/a\"b", "a\"b\\c", "/srv/a b/n.json");
  CHECK(text.find("url = \"https://x/a\\\"b\"\n") != std::string::npos);
  CHECK(text.find("header = \"Authorization: a\\\"b\\\\c\"\n") != std::string::npos);
  CHECK(text.find("data-binary = \"@/srv/a b/n.json\"\n") != std::string::npos);
  CHECK(text.find("max-time = 7\n") != std::string::npos);
  CHECK(curl_configuration(notice, "https://x", "", "n").find("Authorization") == std::string::npos);
}

TEST_CASE("a secret that is part of what stands in its place is masked, and the telling ends") {
  if (program_in_path("curl").empty()) return;
  const TemporaryFolder folder;
  std::ofstream(folder.path / "n.json") << "{}\n";
  std::ofstream(folder.path / "secret") << "e\n";
  RegressionNotice notice;
  notice.url = "http://127.0.0.1:1/";  // nobody listens there
  notice.secret_file = (folder.path / "secret").string();
  const auto reported = notified(notice, folder.path / "n.json");
  REQUIRE_FALSE(reported);
  CHECK(reported.error().what.find("(secret)") != std::string::npos);
}

TEST_CASE("an address that is itself a secret stands in a file or a variable") {
  const TemporaryFolder folder;
  RegressionNotice notice;
  notice.url_file = (folder.path / "hook").string();
  std::ofstream(notice.url_file) << "https://hooks.example/T1/secret\n";
  CHECK(*webhook_url(notice) == "https://hooks.example/T1/secret");
  std::ofstream(notice.url_file) << "hooks.example/T1/secret\n";
  REQUIRE_FALSE(webhook_url(notice));
  CHECK(webhook_url(notice).error().what == "holds no http or https address");
  CHECK(webhook_url(notice).error().where == notice.url_file);
  notice.url_file.clear();
  notice.url_environment = "SHAKEDOWN_TEST_HOOK";
  ::setenv("SHAKEDOWN_TEST_HOOK", "http://127.0.0.1/x", 1);
  CHECK(*webhook_url(notice) == "http://127.0.0.1/x");
  notice.url_environment.clear();
  notice.url = "https://x";
  CHECK(*webhook_url(notice) == "https://x");
}

TEST_CASE("a command that does not read its input, or reads more than a pipe holds, is waited for") {
  const std::string much(1'000'000, 'x');
  CHECK(command_output({"true"}, 10, much)->exit_code == 0);
  CHECK(command_output({"wc", "-c"}, 10, much)->text == "1000000\n");
  CHECK(command_output({"wc", "-c"}, 10)->text == "0\n");
}
