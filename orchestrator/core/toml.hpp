#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// A TOML table that is being read. Values are taken by key and type; the first wrong one is remembered with
/// its line, and `finished` rejects keys that nobody took, with "did you mean". A failed read yields the
/// fallback, so a reader takes all its keys and asks once:
///
///     TomlTable table = ...;
///     gpu.memory_bytes = table.required_integer("memory_bytes");
///     gpu.name = table.text("name", "");
///     if (auto ok = table.finished(); !ok) return failure_of(ok);
///
/// This is the one door to toml++. Copies share one document and one memory of what was taken.
class TomlTable {
 public:
  /// Parses `text`; `name` is before the line number in errors (`name:14`).
  static Result<TomlTable> parse(std::string_view text, std::string_view name);
  /// Reads and parses a file.
  static Result<TomlTable> load(const std::filesystem::path& path);

  [[nodiscard]] bool has(std::string_view key) const;
  /// The keys in the file's order.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// `file:line` of the key, or of the table itself when it is absent or `key` is empty.
  [[nodiscard]] std::string place(std::string_view key = {}) const;

  std::string text(std::string_view key, std::string_view fallback);
  std::string required_text(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t fallback);
  std::int64_t required_integer(std::string_view key);
  double real(std::string_view key, double fallback);  ///< whole numbers are taken too
  double required_real(std::string_view key);
  bool boolean(std::string_view key, bool fallback);
  std::vector<std::string> texts(std::string_view key);      ///< an array of strings; empty when absent
  std::vector<std::int64_t> integers(std::string_view key);  ///< an array of whole numbers; empty when absent
  std::vector<double> reals(std::string_view key);
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<double> optional_real(std::string_view key);
  std::optional<std::int64_t> optional_integer(std::string_view key);

  /// A day of the calendar as "2027-03-31", written bare or as a string.
  std::string required_date(std::string_view key);

  /// The table under `key`; an empty one when absent (see `has`). Its errors are this table's errors.
  TomlTable table(std::string_view key);
  /// The tables of an array of tables; empty when absent.
  std::vector<TomlTable> tables(std::string_view key);

  /// A scalar as text whatever its type, with the type's name (`string`, `integer`, `float`, `boolean`), for
  /// readers whose keys are free. Nothing when absent or not a scalar.
  struct Scalar {
    std::string text;
    std::string type;
  };
  std::optional<Scalar> scalar(std::string_view key);

  /// Leaves `key` with all below it to another reader of the same file.
  void skip(std::string_view key);

  /// Notes a reader's own objection to the value at `key`; the first objection wins.
  void reject(std::string_view key, std::string what, std::string hint = {});

  /// The first objection of this document: a wrong type, a missing required key, a reader's own, and last
  /// any key of this table or a table taken from it that nobody asked for.
  [[nodiscard]] Result<void> finished() const;

 private:
  struct Document;
  struct View;
  TomlTable(std::shared_ptr<Document> document, std::shared_ptr<View> view);
  std::shared_ptr<Document> document_;
  std::shared_ptr<View> view_;
};

/// `text` as a TOML basic string, quotes included.
std::string toml_quoted(std::string_view text);

/// Rejects the value at `key` unless it is one of `known`. `noun`: what such a value is called; empty: as the
/// key.
void must_be_one_of(TomlTable& table, std::string_view key, std::string_view value,
                    std::span<const std::string> known, std::string_view noun = {});

/// The enumerator of `known` whose `to_string` is `text`.
template <typename Enum>
std::optional<Enum> enumerator(std::string_view text, std::type_identity_t<std::span<const Enum>> known) {
  for (const Enum each : known)
    if (to_string(each) == text) return each;
  return std::nullopt;
}

/// The enumerator of `known` that the text at `key` names; nothing where the key is absent. Another text is
/// rejected.
template <typename Enum>
std::optional<Enum> optional_one_of(TomlTable& table, std::string_view key,
                                    std::type_identity_t<std::span<const Enum>> known) {
  const auto text = table.optional_text(key);
  if (!text) return std::nullopt;
  const auto found = enumerator<Enum>(*text, known);
  if (found) return found;
  std::vector<std::string> words;
  for (const Enum each : known) words.emplace_back(to_string(each));
  must_be_one_of(table, key, *text, words);
  return std::nullopt;
}

/// The same with `fallback` where there is none.
template <typename Enum>
Enum one_of(TomlTable& table, std::string_view key, Enum fallback,
            std::type_identity_t<std::span<const Enum>> known) {
  return optional_one_of<Enum>(table, key, known).value_or(fallback);
}

/// The same of a key that must be there.
template <typename Enum>
Enum required_one_of(TomlTable& table, std::string_view key,
                     std::type_identity_t<std::span<const Enum>> known) {
  table.required_text(key);
  return optional_one_of<Enum>(table, key, known).value_or(known.front());
}

/// A key of a TOML file that people write, as the reference page shows it. Each reader has a table of these
/// in a header beside it; tests/cli/file_keys_test.cpp holds every row against the reader, and the reader
/// against the rows.
struct FileKey {
  std::string_view
      table;             ///< its header as it is written: "[site.fabric]", "[[runs]]"; empty: the file's top
  std::string_view key;  ///< "*": names are free
  std::string_view
      type;  ///< "text", "whole number", "number", "true or false", "texts", "numbers", "day", "any"
  std::string_view fallback;  ///< where it is absent, as TOML; "required"; empty: nothing is stated
  std::string_view unit;      ///< of the value; empty: none
  std::string_view example;   ///< TOML
  std::string_view about;     ///< a sentence without a full stop
};

/// What a kind of file is for, and all its keys in the order of the page.
struct FileKeys {
  std::string_view id;     ///< "acceptance"
  std::string_view title;  ///< "acceptance.toml"
  std::string_view about;  ///< sentences
  std::span<const FileKey> keys;
};

}  // namespace shakedown
