#pragma once
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace shakedown {

/// What a failure is about, so that `main` can pick the exit code (2 or 4).
enum class Fault {
  input,        ///< usage, configuration, a file's content: the user can mend it in what was given
  environment,  ///< launcher, scheduler, store, I/O: the machine refused
};

/// A failure as a sentence with a place: `where: what`, then `hint: ...`.
struct Error {
  std::string where;  ///< `file:line`, a path, a program; may be empty
  std::string what;   ///< the sentence, without a full stop
  std::string hint;   ///< the way out; may be empty
  Fault fault = Fault::input;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure from a function that gives a Result.
inline tl::unexpected<Error> fail(std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(where), std::move(what), std::move(hint), Fault::input});
}

/// As `fail`, for what the machine refused (exit code 4).
inline tl::unexpected<Error> fail_environment(std::string where, std::string what, std::string hint = {}) {
  return tl::unexpected<Error>(Error{std::move(where), std::move(what), std::move(hint), Fault::environment});
}

/// The failure of `result`, to be returned from a function with another value type.
template <class T>
tl::unexpected<Error> failure_of(const Result<T>& result) {
  return tl::unexpected<Error>(result.error());
}

/// As above, with another remedy beside the one that the failure names.
template <class T>
tl::unexpected<Error> failure_of(const Result<T>& result, std::string_view remedy) {
  Error error = result.error();
  error.hint += error.hint.empty() ? "" : ", or ";
  error.hint += remedy;
  return tl::unexpected<Error>(std::move(error));
}

/// `where: what` and, on a line of its own, the hint.
inline std::string to_string(const Error& error) {
  std::string text = error.where.empty() ? error.what : fmt::format("{}: {}", error.where, error.what);
  if (!error.hint.empty()) text += "\nhint: " + error.hint;
  return text;
}

/// The exit codes of the program beside 0, done, and 128 + the number of a signal:
/// docs/reference/exit-codes.md.
inline constexpr int exit_not_accepted = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_undecided = 3;  ///< also: nothing to compare with, no log of a benchmark
inline constexpr int exit_environment = 4;
inline constexpr int exit_skipped = 75;  ///< EX_TEMPFAIL: a scheduled check that could not begin

}  // namespace shakedown
