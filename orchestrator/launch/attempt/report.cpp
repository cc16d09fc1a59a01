#include "orchestrator/launch/attempt/report.hpp"

namespace attempt {

void add_orphans(Text& text, const Orphans& orphans) {
  constexpr int most_named = 4;  // a text of ours is short
  text.add("\"orphans_ended\":%d,\"orphans_alive\":%d", orphans.ended, orphans.count);
  if (orphans.count == 0) return;
  text.add(",\"orphans\":[");
  for (int i = 0; i < orphans.count && i < most_named; ++i) {
    const Orphan& each = orphans.alive[i];
    text.add("%s{\"pid\":%d,\"uid\":%u,\"command\":", i > 0 ? "," : "", each.pid, each.user);
    text.add_string(each.command);
    text.add(",\"attempt\":");
    text.add_string(each.attempt);
    text.add("}");
  }
  text.add("]");
}

}  // namespace attempt
