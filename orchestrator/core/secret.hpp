#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// Replaces a secret in a text.
inline constexpr std::string_view secret_mask = "(secret)";

/// How long the mask is that a text begins with: "(secret)", "(secret 2)" or "(secret from NAME)"; 0: none.
std::size_t mask_length(std::string_view text);

/// Whether a variable or option of this name holds a secret, by a table of patterns: HF_TOKEN, WANDB_API_KEY,
/// DB_PASSWORD, SLURM_JWT, AWS_*. Case doesn't matter, '-' is as '_'.
bool names_secret(std::string_view name);

/// A text with `mask` in place of what is secret by its shape: credentials in an address
/// (https://user:password@host, ?token=..., the path of a chat's webhook), `Bearer ...`, `Authorization:
/// ...`, private keys, tokens whose prefix shows their kind (hf_..., ghp_..., JSON web tokens), and values of
/// variables that are set in it (`HF_TOKEN=...`) and that `names_secret` knows.
std::string without_secrets(std::string_view text, std::string_view mask = secret_mask);

/// A variable's value as it may be shown: all of it `mask` if its name is a secret's (but a path where the
/// name is that of a file: PASSWORD_FILE), a proxy's credentials masked, else the value by `without_secrets`.
/// An empty value stays: there is nothing to hide.
std::string shown_value(std::string_view name, std::string_view value, std::string_view mask = secret_mask);

/// The parts of a secret value by which it is known again in a text: the value, its lines, and of an address
/// the credentials alone. Parts too short to be distinguished from other words are omitted.
std::vector<std::string> known_parts(std::string_view value);

/// Whether a text holds one of the parts. A short part is only found as a word of its own.
bool holds_any(std::string_view text, std::span<const std::string> parts);

/// A text with the mask in place of what it has of a part that was cut, which is before its every "...".
std::string without_cut_parts(std::string_view text, std::span<const std::string> parts);

/// A text with the mask in place of each of the parts.
std::string without_parts(std::string text, std::span<const std::string> parts);

}  // namespace shakedown
