#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/value.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/plan/site.hpp"
#include "orchestrator/schedulers/template_file.hpp"

namespace shakedown {

/// The values of a template's placeholders.
struct TemplateValues {
  std::vector<Parameter> single;     ///< an empty text: there is none
  std::vector<std::string> ids;      ///< {ids}
  std::vector<std::string> options;  ///< {options}
};

/// Those of a job, and of the site that it runs at.
TemplateValues template_values(const SchedulerTemplate& description, const Job& job, const Site& site);
/// The names that a job may have in the queue: {name} and {short_name}.
std::vector<std::string> template_names(const Job& job);
/// Those of commands about jobs that were submitted; {id} is the first.
TemplateValues template_values(const std::vector<std::string>& ids);

/// The argument vector of a command.
std::vector<std::string> filled_command(const CommandTemplate& command, const TemplateValues& values);

/// The batch script: the preamble, then the attempts of the job's lane one behind the other. A job that is
/// asked to end begins no more of them.
std::string template_script(const SchedulerTemplate& description, const Job& job, const Site& site);

}  // namespace shakedown
