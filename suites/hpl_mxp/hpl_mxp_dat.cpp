#include "suites/hpl_mxp/hpl_mxp_dat.hpp"

#include <fmt/core.h>

namespace shakedown::hpl_mxp {
namespace {

template <class Content>
std::string line(const Content& value, const char* comment) {
  return fmt::format("{:<12} {}\n", value, comment);
}

}  // namespace

std::string hpl_mxp_dat(const HplMxpDat& run) {
  return "HPLinpack benchmark input file\n"
         "planned by shakedown\n" +
         line("HPL-MxP.out", "output file name (if any)") + line(6, "device out (6=stdout,7=stderr,file)") +
         line(1, "# of problems sizes (N)") + line(run.N, "Ns") + line(1, "# of NBs") + line(run.NB, "NBs") +
         line(run.column_major ? 1 : 0, "PMAP process mapping (0=Row-,1=Column-major)") + line(run.P, "P") +
         line(run.Q, "Q") + line("16.0", "threshold") + line(1, "# of broadcast") +
         line(0, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)");
}

}  // namespace shakedown::hpl_mxp
