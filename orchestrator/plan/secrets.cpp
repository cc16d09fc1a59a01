#include "orchestrator/plan/secrets.hpp"

#include <algorithm>
#include <cctype>

#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml_copy.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

constexpr std::string_view shell_prefix = "shakedown_secret_";
constexpr std::size_t most_secrets = 200;  // of a configuration
constexpr std::size_t least_key = 16;      // bytes of a key whose name shows no more
constexpr std::size_t least_compared = 8;  // bytes: a shorter value may be elsewhere by chance

constexpr std::string_view reference_begins = "(secret";
constexpr std::string_view from_mark = " from ";

bool is_variable_name(std::string_view name) {
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// What replaces a secret in the plan.
std::string reference_of(const Secret& secret) {
  if (!secret.from.empty()) return fmt::format("(secret{}{})", from_mark, secret.from);
  return secret.number == 1 ? std::string(secret_mask) : fmt::format("(secret {})", secret.number);
}

/// The first reference in a text; empty: it has none.
std::string_view reference_in(std::string_view text) {
  for (size_t at = text.find(reference_begins); at != std::string_view::npos;
       at = text.find(reference_begins, at + 1))
    if (const size_t length = mask_length(text.substr(at)); length > 0) return text.substr(at, length);
  return {};
}

/// Whether `text` is what `shown_value` makes of a value with that reference: nothing of a secret is beside
/// it. What an address shows of itself stays: http://(secret)@proxy:3128.
bool stands_for_all(std::string_view name, std::string_view text, std::string_view reference) {
  if (shown_value(name, text, reference) != text) return false;
  const auto is_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (size_t at = text.find(reference_begins); at != std::string_view::npos;
       at = text.find(reference_begins, at + 1)) {
    const size_t behind = at + reference.size();
    if (!text.substr(at).starts_with(reference) || (at > 0 && is_name(text[at - 1])) ||
        (behind < text.size() && is_name(text[behind])))
      return false;
  }
  return true;
}

/// The secret that a variable's text refers to; nothing where it is an ordinary one.
std::optional<Secret> referred_by(const std::string& name, std::string_view text) {
  const std::string_view reference = reference_in(text);
  if (reference.empty() || !stands_for_all(name, text, reference)) return std::nullopt;
  std::string_view what = reference.substr(reference_begins.size());
  what.remove_suffix(1);
  if (what.empty()) return Secret{name, 1, "", ""};
  if (what.starts_with(from_mark)) return Secret{name, 1, std::string(what.substr(from_mark.size())), ""};
  return Secret{name, static_cast<int>(parsed_integer(what.substr(1)).value_or(1)), "", ""};
}

/// A reference is a variable's whole value: what else it holds would stay in plans and reports.
Result<void> has_whole_reference(const std::string& place, const std::string& name, std::string_view text) {
  if (reference_in(text).empty() || referred_by(name, text)) return {};
  return fail(
      place, fmt::format("'{}' mixes a reference to a secret, {}, with other text", name, reference_in(text)),
      "use the reference alone, or export the whole value and use { from = \"NAME\" }");
}

/// What replaces a variable's value; its secret is added if it is new. `wholly`: it is marked, whatever its
/// name and its shape.
std::string reference_to(std::vector<Secret>& secrets, const std::string& name, const std::string& value,
                         bool wholly) {
  if (value.empty()) return "";
  if (const auto referred = referred_by(name, value)) {
    if (find_secret(secrets, *referred) == nullptr) secrets.push_back(*referred);
    return value;
  }
  if (!wholly && shown_value(name, value) == value) return value;
  Secret secret{name, 1, "", value};
  for (const Secret& known : secrets) {
    if (known.name != name || !known.from.empty()) continue;
    if (known.value == value) {
      secret.number = known.number;
      break;
    }
    secret.number = std::max(secret.number, known.number + 1);
  }
  if (find_secret(secrets, secret) == nullptr) secrets.push_back(secret);
  const std::string reference = reference_of(secret);
  return wholly ? reference : shown_value(name, value, reference);
}

/// A value that is too plain to be a secret: a number of a few digits, another variable, a place to fill in;
/// a path, where the name isn't that of a word to log in with.
bool is_plain(std::string_view name, std::string_view value) {
  const bool number =
      value.size() <= 6 && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  if (value.empty() || number || value.front() == '$' || value.front() == '<' || mask_length(value) > 0 ||
      value == "true" || value == "false" || value == "none")
    return true;
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto says = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (lower.ends_with("key") && value.size() < least_key && !says("api") && !says("access") &&
      !says("private") && !says("secret") && !says("auth"))
    return true;  // a sort_key, a label_key
  if (value.front() != '/') return false;
  const bool of_file = lower.ends_with("file") || lower.ends_with("path") || lower.ends_with("dir");
  return of_file || (!says("pass") && !says("token") && !says("secret"));
}

/// The parts by which the values are known again, of those long enough to be no accident.
std::vector<std::string> compared_parts(std::span<const Secret> secrets) {
  std::vector<std::string> parts;
  for (const Secret& secret : secrets)
    if (!is_plain(secret.name, secret.value))  // a path is in mounts and other variables, too
      for (std::string& part : known_parts(secret.value))
        if (part.size() >= least_compared) parts.push_back(std::move(part));
  return parts;
}

/// Secrets with the parts by which they are known again.
class Known {
 public:
  explicit Known(std::span<const Secret> secrets) : secrets_(secrets) {
    for (const Secret& secret : secrets) parts_.push_back(compared_parts({&secret, 1}));
  }
  /// The secret whose value is in the text; null: none.
  [[nodiscard]] const Secret* held_by(std::string_view text) const {
    if (text.size() < least_compared) return nullptr;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (holds_any(text, parts_[i])) return &secrets_[i];
    return nullptr;
  }

 private:
  std::span<const Secret> secrets_;
  std::vector<std::vector<std::string>> parts_;
};

/// The variable of the jobs' environment that a configuration's value is of; empty: none.
std::string variable_of(const TomlValue& value) {
  const std::vector<std::string>& path = value.path;
  const std::size_t table = path.size() > 1 && path[1] == "programs" ? 2 : 1;
  if (path.size() < table + 2 || path.front() != "site" || path[table] != "environment") return "";
  const bool of_a_table = path.size() == table + 3 && path.back() == "value";
  return path.size() == table + 2 || of_a_table ? path[table + 1] : "";
}

/// A value of a configuration that is no secret itself must not hold one.
Result<void> stands_open(const TomlValue& value, const Known& known) {
  const std::string last = value.path.empty() ? "" : value.path.back();
  if (const Secret* secret = known.held_by(value.text))
    return fail(
        value.place, fmt::format("'{}' contains the value of the secret {}", last, secret->name),
        fmt::format(
            "other users can read this value: remove it; a variable of the environment can be marked: {} = "
            "{{ value = \"...\", secret = true }}",
            last));
  if (without_secrets(value.text) == value.text || !variable_of(value).empty()) return {};
  return fail(
      value.place, fmt::format("'{}' holds what looks like a secret: {}", last, without_secrets(value.text)),
      "command lines and reports would show it: leave it out, and give it to the jobs as a variable in "
      "[site.environment]; a webhook's address goes into url_file");
}

/// A variable that is written as a table.
Parameter from_table(TomlTable table, const std::string& name) {
  const std::string from = table.text("from", "");
  const bool marked = table.boolean("secret", false);
  const auto value = table.scalar("value");
  if (table.has("value") && !value) table.reject("value", "'value' must be a number or a string");
  if (table.has("value") == table.has("from"))
    table.reject("", fmt::format("'{}' needs one of 'value' and 'from'", name),
                 "{ value = \"...\", secret = true }, or { from = \"NAME\" } of the environment of who runs "
                 "shakedown");
  if (table.has("secret") && !marked)
    table.reject("secret", "'secret' is false", "remove it: masking cannot be disabled");
  if (table.has("from") && !is_variable_name(from))
    table.reject("from", fmt::format("'{}' is no name of a variable", from));
  if (table.has("from")) return {name, reference_of({name, 1, from, ""})};
  return {name, value ? value->text : std::string()};
}

constexpr const char* by_environment =
    "every user of a node can read its command lines: give it to the program as a variable of the "
    "environment";

/// What of a case others can read, and what to call it.
struct Readable {
  std::string what;
  std::string text;
  bool many = false;  ///< `what` is a plural
};

std::vector<Readable> readable_of(const Case& planned) {
  std::vector<Readable> all;
  for (const auto* words : {&planned.argv, &planned.arguments})
    for (const std::string& word : *words) all.push_back({"its command line", word});
  for (const auto* lines : {&planned.preparation, &planned.node_preparation})
    for (const auto& line : *lines)
      for (const std::string& word : line) all.push_back({"its preparation", word});
  all.push_back({"its container's image", planned.container.image});
  for (const std::string& mount : planned.container.mounts)
    all.push_back({"its container's mounts", mount, true});
  for (const std::string& module : planned.modules) all.push_back({"its modules", module, true});
  for (const std::string& warning : planned.warnings) all.push_back({"its warnings", warning, true});
  for (const TextFile& file : planned.files) all.push_back({"its input file " + file.name, file.content});
  return all;
}

/// The line of a text in which its first secret is by its shape, without it; empty: it has none.
std::string line_without_secret(std::string_view text) {
  constexpr size_t most = 200;
  const std::string shown = without_secrets(text);
  if (shown == text) return "";
  const auto differs = std::ranges::mismatch(shown, text).in1;
  const auto at = static_cast<size_t>(std::min(differs, shown.end() - 1) - shown.begin());
  const size_t begin = at == 0 ? 0 : shown.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::string_view line = std::string_view(shown).substr(begin, shown.find('\n', at) - begin);
  return std::string(trimmed(line.size() > most ? line.substr(0, most) : line));
}

Result<void> has_no_secret(const Case& planned, const std::string& file, std::span<const Secret> secrets) {
  const std::string place = fmt::format("{}: case '{}'", file, planned.id);
  for (const auto* words : {&planned.argv, &planned.arguments, &planned.container.mounts})
    if (const std::string word = secret_argument(*words); !word.empty())
      return fail(place, fmt::format("its command line holds what looks like a secret: {}", word),
                  by_environment);
  for (const auto* lines : {&planned.preparation, &planned.node_preparation})
    for (const auto& line : *lines)
      if (const std::string word = secret_argument(line); !word.empty())
        return fail(place, fmt::format("its preparation holds what looks like a secret: {}", word),
                    by_environment);
  const Known known(secrets);
  for (const Readable& each : readable_of(planned)) {
    if (const std::string line = line_without_secret(each.text); !line.empty())
      return fail(
          place,
          fmt::format("{} {} what looks like a secret: {}", each.what, each.many ? "hold" : "holds", line),
          by_environment);
    if (const Secret* secret = known.held_by(each.text))
      return fail(place,
                  fmt::format("{} {} the value of the secret {}", each.what,
                              each.many ? "contain" : "contains", secret->name),
                  by_environment);
  }
  return {};
}

/// What an option or a setting is of: the name without its dashes or Hydra's '+', and of a dotted one the
/// last part (`+wandb.api_key`). Empty: it is no name.
std::string_view name_of(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("-+"), word.size()));
  if (!std::ranges::all_of(
          word, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; }))
    return {};
  return word.substr(word.rfind('.') + 1);  // npos + 1 is 0
}

/// The header that a word is, without its secret: `X-Api-Key: ...`. Empty: none.
std::string secret_header(std::string_view word) {
  const size_t colon = word.find(": ");
  if (colon == std::string_view::npos) return "";
  const std::string_view name = word.substr(word.substr(0, colon).find('=') + 1, std::string_view::npos);
  const std::string_view header = name.substr(0, name.find(": "));
  if (name_of(header).empty() || !names_secret(header) || is_plain(header, trimmed(word.substr(colon + 2))))
    return "";
  return fmt::format("{}: {}", header, secret_mask);
}

/// The words of a shell's command lines, without their quotes.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  char quote = '\0';
  for (const char c : line) {
    if (quote != '\0' ? c == quote : c == '\'' || c == '"')
      quote = quote == '\0' ? c : '\0';
    else if (quote != '\0' || std::string_view(" \t\n;&|()`").find(c) == std::string_view::npos)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

/// `lines`: how often a word may be a command line of its own, as that of `sh -c`.
std::string found_argument(std::span<const std::string> words, int lines) {
  bool curl = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : std::string_view();
    if (std::string shown = line_without_secret(word); !shown.empty()) return shown;
    if (std::string shown = secret_header(word); !shown.empty()) return shown;
    curl = curl || word.substr(word.rfind('/') + 1) == "curl";
    if (curl && (word == "-u" || word == "--user"))
      if (const size_t colon = next.find(':');
          colon != std::string_view::npos && !is_plain("password", next.substr(colon + 1)))
        return fmt::format("{} {}", word, secret_mask);
    if (lines > 0 && word.find_first_of(" \t\n;&|") != std::string_view::npos)
      if (std::string shown = found_argument(words_of(word), lines - 1); !shown.empty()) return shown;
    const size_t equals = word.find('=');
    const std::string_view name = name_of(word.substr(0, equals));
    if (name.empty() || !names_secret(name)) continue;
    const bool takes_next = word.starts_with('-') || name.size() < word.size();
    if (equals != std::string_view::npos) {
      if (!is_plain(name, word.substr(equals + 1)))
        return fmt::format("{}={}", word.substr(0, equals), secret_mask);
    } else if (takes_next && !next.empty() && !next.starts_with('-') && !is_plain(name, next)) {
      return fmt::format("{} {}", word, secret_mask);
    }
  }
  return "";
}

}  // namespace

bool is_reference(std::string_view text) {
  return referred_by("", text).has_value();
}

std::vector<Secret> secrets_of(const Case& planned) {
  std::vector<Secret> secrets;
  for (const Parameter& variable : planned.environment)
    if (auto secret = referred_by(variable.name, value_text(variable.value)))
      secrets.push_back(*std::move(secret));
  return secrets;
}

const Secret* find_secret(std::span<const Secret> secrets, const Secret& wanted) {
  const auto it = std::ranges::find(secrets, shell_variable(wanted), shell_variable);
  return it == secrets.end() ? nullptr : &*it;
}

std::string shell_variable(const Secret& secret) {
  return secret.from.empty() ? fmt::format("{}{}_{}", shell_prefix, secret.number, secret.name)
                             : fmt::format("{}0_{}", shell_prefix, secret.from);
}

Secret secret_of_shell_variable(std::string_view variable) {
  if (!variable.starts_with(shell_prefix)) return {};
  variable.remove_prefix(shell_prefix.size());
  const size_t end = variable.find('_');
  const auto number = parsed_integer(variable.substr(0, end));
  if (end == std::string_view::npos || !number) return {};
  const std::string name(variable.substr(end + 1));
  return {name, static_cast<int>(*number), *number == 0 ? name : "", ""};
}

void take_values(std::vector<Secret>& secrets, std::span<const Secret> known) {
  for (Secret& secret : secrets)
    if (const Secret* same = find_secret(known, secret); same != nullptr && secret.value.empty())
      secret.value = same->value;
}

Result<ConcealedText> concealed_configuration(std::string_view text, std::string_view name) {
  ConcealedText concealed;
  std::vector<Secret>& secrets = concealed.secrets;
  std::vector<std::string> parts;
  const auto changes = [&](std::span<const TomlValue> values) -> Result<TomlChanges> {
    TomlChanges instead(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string variable = variable_of(values[i]);
      if (variable.empty()) continue;
      if (auto whole = has_whole_reference(values[i].place, variable, values[i].text); !whole)
        return failure_of(whole);
      std::string shown = reference_to(secrets, variable, values[i].text, values[i].marked_secret);
      if (shown != values[i].text) instead[i] = std::move(shown);
      if (secrets.size() > most_secrets)
        return fail(values[i].place, fmt::format("more than {} variables are secret", most_secrets));
    }
    parts = compared_parts(secrets);
    const Known known(secrets);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!instead[i].has_value())
        if (auto open = stands_open(values[i], known); !open) return failure_of(open);
    return instead;
  };
  const auto comment = [&](std::string_view each) { return without_parts(without_secrets(each), parts); };
  auto copy = copied_toml(text, name, changes, comment);
  if (!copy) return failure_of(copy);
  concealed.text = *std::move(copy);
  return concealed;
}

std::vector<Parameter> environment_from(TomlTable table) {
  std::vector<Parameter> variables;
  for (const std::string& key : table.keys()) {
    if (!is_variable_name(key)) table.reject(key, fmt::format("'{}' is no name of a variable", key));
    if (const auto scalar = table.scalar(key); scalar.has_value()) {
      if (auto variable = free_parameter(table, key)) variables.push_back(*std::move(variable));
    } else {
      variables.push_back(from_table(table.table(key), key));
    }
  }
  return variables;
}

Result<void> take_secrets(Plan& plan, const std::string& file, std::vector<Secret>& secrets) {
  for (Case& planned : plan.cases)
    for (Parameter& variable : planned.environment) {
      const std::string text = value_text(variable.value);
      if (auto whole =
              has_whole_reference(fmt::format("{}: case '{}'", file, planned.id), variable.name, text);
          !whole)
        return whole;
      if (const std::string shown = reference_to(secrets, variable.name, text, false); shown != text)
        variable.value = shown;
      if (secrets.size() > most_secrets)
        return fail(file, fmt::format("more than {} variables are secret", most_secrets));
    }
  for (const std::string& warning : plan.warnings)
    if (const std::string line = line_without_secret(warning); !line.empty())
      return fail(file, "its warnings hold what looks like a secret: " + line, by_environment);
  const std::vector<std::string> parts = compared_parts(secrets);
  for (Case& planned : plan.cases) {
    for (Parameter& variable : planned.environment)
      if (const std::string text = value_text(variable.value); !is_reference(text) && holds_any(text, parts))
        variable.value = reference_to(secrets, variable.name, text, /*wholly=*/true);
    if (auto ok = has_no_secret(planned, file, secrets); !ok) return ok;
  }
  return {};
}

std::string secret_argument(std::span<const std::string> words) {
  constexpr int most_lines = 3;
  return found_argument(words, most_lines);
}

}  // namespace shakedown
