#include "orchestrator/campaign/screens.hpp"

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {

bool is_screen(const Case& planned) {
  return is_screen(planned.suite);
}

int stage_order(const Case& planned) {
  return 2 * planned.stage + (is_screen(planned) ? 0 : 1);
}

int stage_of(int order) {
  return order / 2;
}

}  // namespace shakedown
