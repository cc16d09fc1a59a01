#include "reports/judge/criteria_choice.hpp"

#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/core/toml.hpp"

namespace shakedown {
namespace {

Result<ChosenCriteria> frozen(const std::string& text, const fs::path& file, const Layout& layout,
                              const LastAccepted& last_accepted) {
  const auto baselines = shipped_baselines(layout.share);
  if (!baselines) return failure_of(baselines);
  auto frozen = frozen_criteria(text, file.string(), *baselines, last_accepted);
  if (!frozen) return failure_of(frozen);
  return ChosenCriteria{file.filename().string(), std::move(*frozen)};
}

}  // namespace

Result<CriteriaFile> criteria_file(const std::string& wanted, const Layout& layout) {
  std::error_code code;
  fs::path path = wanted;
  for (const char* kind : {"templates", "criteria"})
    if (const fs::path shipped = layout.share / kind / (wanted + ".toml"); fs::exists(shipped, code))
      path = shipped;
  auto text = named_file_content(path);
  if (!text)
    return fail(wanted, text.error().what,
                "it takes a TOML file with [[criteria]], a shipped campaign's name, or `quick`");
  return CriteriaFile{path.string(), std::move(*text)};
}

Result<ChosenCriteria> configured_criteria(const std::string& text, const std::string& file,
                                           const Layout& layout, const LastAccepted& last_accepted) {
  const auto table = TomlTable::parse(text, file);
  if (!table) return failure_of(table);
  if (!table->has("criteria") && !table->has("waivers")) return ChosenCriteria{};
  return frozen(text, file, layout, last_accepted);
}

Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout,
                                       const LastAccepted& last_accepted) {
  if (wanted.empty()) return ChosenCriteria{};
  const auto file = criteria_file(wanted, layout);
  if (!file) return failure_of(file);
  return frozen(file->text, file->path, layout, last_accepted);
}

}  // namespace shakedown
