#include "orchestrator/cli/application.hpp"

int main(int argc, char** argv) {
  return shakedown::run_application(argc, argv);
}
