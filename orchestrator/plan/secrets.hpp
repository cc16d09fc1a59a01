#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The value of a variable of the jobs' environment that is in no plan, store or report. A reference replaces
/// it there: `(secret)`, `(secret 2)` if one variable has several values in one campaign, or `(secret from
/// NAME)` if the user who runs shakedown has it in the variable NAME.
struct Secret {
  std::string name;   ///< of the variable in the job
  int number = 1;     ///< of its values
  std::string from;   ///< variable of the operator's environment that holds it; empty: not stated
  std::string value;  ///< empty: not known here
  friend bool operator==(const Secret&, const Secret&) = default;
};

/// Whether a variable's text refers to a secret.
bool is_reference(std::string_view text);

/// The secrets that a case's environment refers to, without their values.
std::vector<Secret> secrets_of(const Case& planned);

/// The one among `secrets` that another is, whatever is known of their values; null: none.
const Secret* find_secret(std::span<const Secret> secrets, const Secret& wanted);

/// The variable of a shell by which job.sh knows a secret's value: `shakedown_secret_2_HF_TOKEN`.
std::string shell_variable(const Secret& secret);

/// The secret that such a variable has; one without a name where it is none.
Secret secret_of_shell_variable(std::string_view variable);

/// Copies the values that `known` has into those without one.
void take_values(std::vector<Secret>& secrets, std::span<const Secret> known);

/// A configuration's text with references in place of its secrets, and those.
struct ConcealedText {
  std::string text;
  std::vector<Secret> secrets;
};

/// Takes the secrets out of a configuration: variables of [site.environment] and of its programs' that are
/// secret by mark, name or shape. Comments lose what looks like one. Fails where the text is no TOML, and if
/// a secret is elsewhere in it: there it would reach a command line.
Result<ConcealedText> concealed_configuration(std::string_view text, std::string_view name);

/// Reads a table of variables: each a number or a string, `{ value = "...", secret = true }`, or
/// `{ from = "NAME" }` for what the operator's environment has under that name.
std::vector<Parameter> environment_from(TomlTable table);

/// Takes the secrets out of the cases' environments. Fails where a case has one in its command line, its
/// container or its input files, which others can read.
Result<void> take_secrets(Plan& plan, const std::string& file, std::vector<Secret>& secrets);

/// What looks like a secret in an argument vector, as an option or an assignment (`--token=...`,
/// `--password ...`, `HF_TOKEN=...`, `+wandb.api_key=...`), a header, curl's user, or as part of an address,
/// be it in a word that is a command line itself (`sh -c ...`): what holds it, without it. Empty: nothing.
std::string secret_argument(std::span<const std::string> words);

}  // namespace shakedown
