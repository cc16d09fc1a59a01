#include "orchestrator/core/secret.hpp"

#include <algorithm>
#include <cctype>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

/// '*' at either end matches anything. Words of language models and of tuning are not among them
/// (TOKENIZERS_PARALLELISM, MAX_TOKENS), nor are paths of sockets (SSH_AUTH_SOCK).
constexpr std::string_view secret_names[] = {"*TOKEN",
                                             "*SECRET*",
                                             "*PASSWORD*",
                                             "*PASSWD*",
                                             "*PASSPHRASE*",
                                             "*APIKEY*",
                                             "*API_KEY*",
                                             "*_KEY",
                                             "*ACCESSKEY*",
                                             "*ACCESS_KEY*",
                                             "*PRIVATE_KEY*",
                                             "*JWT",
                                             "*_JWT_*",
                                             "*CREDENTIAL*",
                                             "*_AUTH",
                                             "*AUTHORIZATION",
                                             "*BEARER*",
                                             "*_PWD",
                                             "*WEBHOOK*",
                                             "*_DSN",
                                             "*CONNECTION_STRING",
                                             "*SIGNATURE",
                                             "AWS_*",
                                             "*_PASS",
                                             "*PGPASS",
                                             "*_PAT",
                                             "TOKEN_*",
                                             "*PRIVATEKEY*",
                                             "*SSHKEY*",
                                             "*COOKIE",
                                             "AUTH"};
/// In the address of each service, or a matter of language models: no secret.
constexpr std::string_view open_names[] = {
    "AWS_*REGION",     "AWS_REGION", "AWS_PROFILE",  "AWS_CA_BUNDLE",   "AWS_ENDPOINT_URL*", "AWS_*_OUTPUT",
    "EOS_TOKEN",       "BOS_TOKEN",  "PAD_TOKEN",    "UNK_TOKEN",       "SEP_TOKEN",         "CLS_TOKEN",
    "MASK_TOKEN",      "TOKEN_LEN*", "TOKEN_COUNT*", "TOKEN_SIZE*",     "TOKEN_LIMIT*",      "TOKEN_BUDGET*",
    "TOKEN_TYPE*",     "TOKEN_ID*",  "TOKEN_DROP*",  "TOKEN_DISPATCH*", "TOKEN_PER*",        "TOKEN_BATCH*",
    "TOKEN_PARALLEL*", "TOKEN_EMB*", "TOKEN_MIN*",   "TOKEN_MAX*",      "TOKEN_NUM*"};
/// Names of what holds a path, where it does.
constexpr std::string_view path_names[] = {"*_FILE", "*_PATH", "*_DIR"};

/// How tokens begin whose makers gave them a shape, and how long they are at least.
struct Shape {
  std::string_view beginning;
  std::size_t least;
  bool one_word = false;  ///< letters and digits alone follow: hf_llama2_70b_checkpoints is a folder
};
constexpr Shape shapes[] = {{"hf_", 37, true},   {"ghp_", 20},   {"gho_", 20},  {"ghs_", 20},  {"ghu_", 20},
                            {"github_pat_", 30}, {"glpat-", 20}, {"xoxb-", 20}, {"xoxp-", 20}, {"xapp-", 20},
                            {"sk-", 30},         {"nvapi-", 30}, {"AKIA", 20},  {"ASIA", 20},  {"pypi-", 40}};

constexpr std::size_t least_shaped = std::ranges::min(shapes, {}, &Shape::least).least;
constexpr std::size_t least_known = 6;   // bytes of a value that is looked for in texts
constexpr std::size_t least_loose = 12;  // below, only as a word of its own
constexpr std::size_t least_line = 16;   // of a value of several lines
constexpr std::size_t least_cut = 4;     // of a part that was cut
constexpr std::string_view key_begins = "-----BEGIN ";
constexpr std::string_view key_ends = "-----END ";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}
bool is_name(char c) {
  return is_word(c) || c == '_';
}
bool is_token(char c) {
  return is_word(c) || c == '_' || c == '-' || c == '.';
}
bool ends_value(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"' || c == '\'' || c == '<' || c == '>' ||
         c == '`' || c == '\\';
}

bool matches(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*', 1);
  if (!pattern.starts_with('*') && star != std::string_view::npos && star + 1 < pattern.size())
    return name.size() >= pattern.size() - 1 && name.starts_with(pattern.substr(0, star)) &&
           name.ends_with(pattern.substr(star + 1));
  const bool any_before = pattern.starts_with('*');
  const bool any_after = pattern.ends_with('*');
  if (any_before) pattern.remove_prefix(1);
  if (any_after) pattern.remove_suffix(1);
  if (any_before && any_after) return name.find(pattern) != std::string_view::npos;
  if (any_before) return name.ends_with(pattern);
  return any_after ? name.starts_with(pattern) : name == pattern;
}

template <class Table>
bool any_matches(const Table& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) { return matches(pattern, name); });
}

bool same_beginning(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

/// A part of a text: [begin, end).
struct Part {
  size_t begin = 0;
  size_t end = 0;
};

size_t end_of(std::string_view text, size_t at, bool (*belongs)(char)) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}
size_t value_end(std::string_view text, size_t at) {
  while (at < text.size() && !ends_value(text[at])) ++at;
  return at;
}

/// Whether the value at [begin, end) is a mask and nothing more but punctuation. A mask of several words ends
/// behind a value that blanks end.
bool is_masked(std::string_view text, size_t begin, size_t end) {
  const size_t length = mask_length(text.substr(begin));
  if (length == 0) return false;
  const size_t behind = begin + length;
  if (behind > end) return behind == text.size() || !is_name(text[behind]);
  return std::ranges::none_of(text.substr(behind, end - behind), is_name);
}

/// A name as the tables have it.
std::string tabled(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// The same without a number at its end: HF_TOKEN_1, HF_TOKEN2.
std::string_view without_number(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return name;
  return name.substr(0, name[last] == '_' ? last : last + 1);
}

bool holds_path(std::string_view name, std::string_view value) {
  const bool is_path = value.starts_with('/') || value.starts_with("~/") || value.starts_with("./") ||
                       value.starts_with("../");
  return is_path && any_matches(path_names, tabled(name));
}

/// The credentials of a proxy without a scheme, at [begin, end): user:password@proxy:3128.
Part proxy_credentials(std::string_view text, size_t begin, size_t end) {
  const std::string_view value = text.substr(begin, end - begin);
  if (value.find("://") != std::string_view::npos) return {};
  const size_t mark = value.substr(0, value.find_first_of("/?#")).rfind('@');
  if (mark == std::string_view::npos || mark == 0 || is_masked(text, begin, begin + mark)) return {};
  return {begin, begin + mark};
}

/// The credentials of the address whose "://" is at `at`.
Part credentials_of(std::string_view text, size_t at) {
  const size_t begin = at + 3;
  const size_t end = value_end(text.substr(0, text.find_first_of("/?#", begin)), begin);
  const size_t mark = text.substr(begin, end - begin).rfind('@');
  if (mark == std::string_view::npos || mark == 0) return {};
  if (text.substr(begin + mark).starts_with("@sha256:")) return {};  // an image's digest
  const std::string_view user = text.substr(begin, mark);
  const bool web = text.substr(0, at).ends_with("http") || text.substr(0, at).ends_with("https");
  if (is_masked(text, begin, begin + mark) || (!web && user.find(':') == std::string_view::npos))
    return {};  // ssh://git@host
  return {begin, begin + mark};
}

/// What follows in the address of a chat's webhook: who knows it can post. Sources: the vendors' pages on
/// incoming webhooks of Slack, Discord and Teams.
Part webhook_path(std::string_view text, size_t at) {
  constexpr std::string_view places[] = {"hooks.slack.com/", "discord.com/api/webhooks/",
                                         "discordapp.com/api/webhooks/", ".webhook.office.com/"};
  constexpr size_t longest_host = 255;
  constexpr size_t longest_path = 1000;
  const std::string_view head = text.substr(at + 3, longest_host);
  const size_t slash = head.find('/');
  for (const std::string_view place : places) {
    const size_t before = slash - place.find('/');  // of a host that ends like the place's
    if (slash == std::string_view::npos || before > slash || !head.substr(before).starts_with(place))
      continue;
    const size_t begin = at + 3 + before + place.size();
    const size_t end = value_end(text.substr(0, begin + longest_path), begin);
    if (begin < end && !is_masked(text, begin, end)) return {begin, end};
  }
  return {};
}

/// The parameters of that address that carry secrets: "?token=...". Those behind an address within it are
/// that one's.
void add_parameters(std::vector<Part>& parts, std::string_view text, size_t at) {
  text = text.substr(0, text.find("://", at + 3));
  const size_t end = value_end(text, at + 3);
  text = text.substr(0, end);
  for (size_t i = text.find_first_of("?&", at + 3); i < end; i = text.find_first_of("?&", i + 1)) {
    const size_t equals = text.find('=', i);
    if (equals == std::string_view::npos) return;
    const size_t stop = std::min(text.find_first_of("&#", equals), end);
    const std::string_view name = text.substr(i + 1, equals - i - 1);
    if ((names_secret(name) || name == "sig") && stop > equals + 1 && !is_masked(text, equals + 1, stop))
      parts.push_back({equals + 1, stop});
  }
}

/// A JSON web token, or a token whose prefix shows its kind.
bool has_shape(std::string_view word) {
  if (word.size() < least_shaped) return false;
  if (word.starts_with("eyJ") && word.size() >= 40 && std::ranges::count(word, '.') == 2) return true;
  return std::ranges::any_of(shapes, [&](const Shape& shape) {
    return word.size() >= shape.least && word.starts_with(shape.beginning) &&
           word.find_first_of("0123456789") != std::string_view::npos &&
           (!shape.one_word || std::ranges::all_of(word.substr(shape.beginning.size()), is_word));
  });
}

/// What is secret of what a variable is set to behind `at`, the end of its name: HF_TOKEN=..., HF_TOKEN =
/// "...". A name in small letters is none, but a proxy's.
Part setting(std::string_view text, size_t begin, size_t at) {
  const std::string_view name = text.substr(begin, at - begin);
  while (at < text.size() && (text[at] == ' ' || text[at] == '"' || text[at] == '\'')) ++at;
  if (at >= text.size() || (text[at] != '=' && text[at] != ':')) return {};  // of most words
  const bool proxy = (name.ends_with('y') || name.ends_with('Y')) && tabled(name).ends_with("PROXY");
  const bool small = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!proxy && (small || !names_secret(name))) return {};
  if (proxy && text.substr(at).starts_with(':') && !text.substr(at).starts_with(": "))
    return {};  // [proxy:0:0@cn001]: Hydra's name of its daemon on a node
  ++at;
  while (at < text.size() && text[at] == ' ') ++at;
  const char quote = at < text.size() && (text[at] == '"' || text[at] == '\'') ? text[at] : '\0';
  if (quote != '\0') ++at;
  size_t end = at;
  while (end < text.size() && text[end] != '\n' && text[end] != '$' &&
         (quote == '\0' ? !ends_value(text[end]) : text[end] != quote))
    ++end;
  // What a shell fills in is none yet.
  if (end == at || (end < text.size() && text[end] == '$') || is_masked(text, at, end)) return {};
  if (proxy) return proxy_credentials(text, at, end);
  if (holds_path(name, text.substr(at, end - at))) return {};
  return {at, end};
}

/// What follows "Bearer ", or "Authorization: " and one word.
Part authorization(std::string_view text, size_t begin, size_t end) {
  const std::string_view word = text.substr(begin, end - begin);
  const bool bearer = word.size() == 6 && same_beginning(word, "bearer");
  const bool header = word.size() == 13 && same_beginning(word, "authorization");
  if (!bearer && !header) return {};
  size_t at = end;
  if (header) {
    while (at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == ' ')) ++at;
    if (at >= text.size() || text[at] != ':') return {};
    ++at;
  }
  while (at < text.size() && (text[at] == ' ' || text[at] == '"' || text[at] == '\'')) ++at;
  if (header && same_beginning(text.substr(at), "bearer ")) return {};  // is found by itself
  if (header && same_beginning(text.substr(at), "basic ")) at += 6;
  const size_t stop = value_end(text, at);
  if (stop < at + least_known || is_masked(text, at, stop)) return {};
  return {at, stop};
}

/// The private key that begins at `at`, without its first and last line; a cut one goes to the text's end.
Part private_key(std::string_view text, size_t at) {
  constexpr size_t longest = 100;
  const size_t line = text.substr(0, at + longest).find('\n', at);
  if (text.substr(at, std::min(line - at, longest)).find("PRIVATE KEY") == std::string_view::npos) return {};
  if (line == std::string_view::npos)
    return {at + key_begins.size(), std::min(text.find(key_ends, at), text.size())};
  return {line + 1, std::min(text.find(key_ends, line), text.size())};
}

std::vector<Part> secret_parts(std::string_view text) {
  std::vector<Part> parts;
  const auto add = [&](Part part) {
    if (part.end > part.begin) parts.push_back(part);
  };
  for (size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3)) {
    add(credentials_of(text, at));
    add(webhook_path(text, at));
    add_parameters(parts, text, at);
  }
  for (size_t at = text.find(key_begins); at != std::string_view::npos;) {
    const Part key = private_key(text, at);
    add(key);
    at = text.find(key_begins, std::max(at + 1, key.end));
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of(text, at, is_token);
    if (has_shape(text.substr(at, end - at))) add({at, end});
    const Part header = authorization(text, at, end);
    add(header);
    for (; at < end; ++at) {  // names within a word: --env-HF_TOKEN=...
      const size_t name = end_of(text, at, is_name);
      const Part value = setting(text, at, name);
      add(value);
      at = std::max(name, value.end);
    }
    at = std::max({at, end + 1, header.end});
  }
  std::ranges::sort(parts, {}, &Part::begin);
  return parts;
}

size_t found(std::string_view text, std::string_view part, size_t from) {
  for (size_t at = text.find(part, from); at != std::string_view::npos; at = text.find(part, at + 1)) {
    if (part.size() >= least_loose) return at;
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + part.size() >= text.size() || !is_word(text[at + part.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t mask_length(std::string_view text) {
  constexpr std::string_view begins = "(secret";
  constexpr std::string_view from = " from ";
  constexpr size_t longest = 300;
  if (!text.starts_with(begins)) return 0;
  const size_t end = text.substr(0, longest).find(')');
  if (end == std::string_view::npos) return 0;
  std::string_view what = text.substr(begins.size(), end - begins.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (what.empty()) return end + 1;
  if (what.starts_with(from)) {
    what.remove_prefix(from.size());
    const bool names = !what.empty() && !is_digit(what.front()) && std::ranges::all_of(what, is_name);
    return names ? end + 1 : 0;
  }
  const bool numbers = what.front() == ' ' && what.size() >= 2 && what.size() <= 5 &&
                       std::ranges::all_of(what.substr(1), is_digit);
  return numbers && what != " 0" && what != " 1" ? end + 1 : 0;
}

bool names_secret(std::string_view name) {
  const std::string upper = tabled(name);
  return any_matches(secret_names, without_number(upper)) && !any_matches(open_names, upper);
}

std::string without_secrets(std::string_view text, std::string_view mask) {
  std::string shown;
  size_t at = 0;
  for (const Part& part : secret_parts(text)) {
    if (part.end <= at) continue;
    if (part.begin >= at) shown.append(text.substr(at, part.begin - at)).append(mask);
    at = part.end;
  }
  return shown.append(text.substr(at));
}

std::string shown_value(std::string_view name, std::string_view value, std::string_view mask) {
  if (value.empty()) return "";
  if (names_secret(name) && !holds_path(name, value))
    return std::string(mask_length(value) == value.size() ? value : mask);
  if (tabled(name).ends_with("PROXY"))
    if (const Part user = proxy_credentials(value, 0, value.size()); user.end > user.begin)
      return std::string(mask).append(value.substr(user.end));
  return without_secrets(value, mask);
}

std::vector<std::string> known_parts(std::string_view value) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view part, size_t least) {
    if (part.size() >= least) parts.emplace_back(part);
  };
  if (const size_t at = value.find("://"); at != std::string_view::npos) {
    const Part user = credentials_of(value, at);
    const std::string_view credentials = value.substr(user.begin, user.end - user.begin);
    add(credentials, least_known);
    if (const size_t colon = credentials.find(':'); colon != std::string_view::npos)
      add(credentials.substr(colon + 1), least_known);
    if (!credentials.empty()) return parts;
  } else if (const Part user = proxy_credentials(value, 0, value.size()); user.end > 0) {
    const std::string_view credentials = value.substr(0, user.end);
    if (const size_t colon = credentials.find(':'); colon != std::string_view::npos) {
      add(credentials, least_known);
      add(credentials.substr(colon + 1), least_known);
    }
  }
  add(value, least_known);
  if (value.find('\n') != std::string_view::npos)
    for (const std::string_view line : split(value, '\n')) add(trimmed(line), least_line);
  return parts;
}

bool holds_any(std::string_view text, std::span<const std::string> parts) {
  return std::ranges::any_of(
      parts, [&](const std::string& part) { return found(text, part, 0) != std::string_view::npos; });
}

std::string without_cut_parts(std::string_view text, std::span<const std::string> parts) {
  constexpr std::string_view cut = "...";
  std::string shown(text);
  for (size_t at = shown.find(cut); at != std::string::npos; at = shown.find(cut, at + cut.size())) {
    size_t most = 0;
    for (const std::string& part : parts)
      for (size_t bytes = std::min(part.size() - 1, at); bytes > std::max(most, least_cut - 1); --bytes)
        if (std::string_view(shown).substr(0, at).ends_with(std::string_view(part).substr(0, bytes)))
          most = bytes;
    if (most == 0) continue;
    shown.replace(at - most, most, secret_mask);
    at = at - most + secret_mask.size();
  }
  return shown;
}

std::string without_parts(std::string text, std::span<const std::string> parts) {
  for (const std::string& part : parts) {
    size_t begin = 0;
    std::string shown;
    for (size_t at = found(text, part, 0); at != std::string::npos; at = found(text, part, begin)) {
      shown.append(text, begin, at - begin).append(secret_mask);
      begin = at + part.size();
    }
    if (begin > 0) text = shown.append(text, begin);
  }
  return text;
}

}  // namespace shakedown
