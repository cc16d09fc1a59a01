// Records a node's state just before and just after an attempt: the wrapper of the attempt runs it.
//
//   node-state --folder DIR [--host HOST] [--first HOST] [--launcher FILE] [--program FILE] [--file FILE]...
//              [--secret VARIABLE]... [--through WORD]... before|after|around
//
// In DIR it writes node-<name>.json (`shakedown.node/1`), after the attempt on the case's first node also
// environment.json. What the program loads stands there, on other nodes in node-<name>.json. With --through
// it runs once on each node of the case: those words start it there. Where the case has but one node (--host)
// and this is it, they are not needed. Before the attempt it ends processes of one whose wrapper was killed;
// otherwise it reads, and changes nothing.
//
// around: it looks before, reports it by a byte to descriptor 3, and looks after when it reads one there: one
// process instead of two, which sleeps meanwhile. Through a launcher it only looks before.
//
//   node-state serve
//
// It starts attempts for whoever holds the other end of its descriptor 3, see `serve`.
#include <string_view>

#include "orchestrator/launch/node/look.hpp"
#include "orchestrator/launch/node/serve.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "serve") return shakedown::serve({argv, 2});
  return shakedown::look(argv[0], {argv + 1, argv + argc});
}
