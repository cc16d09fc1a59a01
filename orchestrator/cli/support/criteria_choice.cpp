#include "orchestrator/cli/support/criteria_choice.hpp"

#include "orchestrator/core/file.hpp"
#include "reports/criteria.hpp"

namespace shakedown {

Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout, bool may_have_none) {
  if (wanted.empty()) return ChosenCriteria{};
  std::error_code code;
  fs::path path = wanted;
  for (const char* kind : {"campaigns", "criteria"})
    if (const fs::path shipped = layout.share / kind / (wanted + ".toml"); fs::exists(shipped, code))
      path = shipped;
  const auto text = file_content(path);
  if (!text)
    return fail(wanted, text.error().what,
                "--criteria takes a TOML file with [[criteria]], a shipped campaign's name, or `quick`");
  if (may_have_none && text->find("[[criteria]]") == std::string::npos) return ChosenCriteria{};
  const auto baselines = shipped_baselines(layout.share);
  if (!baselines) return pass_on(baselines);
  auto frozen = frozen_criteria(*text, path.string(), *baselines);
  if (!frozen) return pass_on(frozen);
  return ChosenCriteria{path.filename().string(), std::move(*frozen)};
}

}  // namespace shakedown
