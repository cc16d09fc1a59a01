#include "suites/hpl/hpl_dat.hpp"

#include <fmt/core.h>

namespace shakedown::hpl {
namespace {

template <class Content>
std::string line(const Content& value, const char* comment) {
  return fmt::format("{:<12} {}\n", value, comment);
}

}  // namespace

std::string hpl_dat(const HplDat& run) {
  return "HPLinpack benchmark input file\n"
         "planned by shakedown\n" +
         line("HPL.out", "output file name (if any)") +    //
         line(6, "device out (6=stdout,7=stderr,file)") +  //
         line(1, "# of problems sizes (N)") +              //
         line(run.N, "Ns") +                               //
         line(1, "# of NBs") +                             //
         line(run.NB, "NBs") +                             //
         line(run.column_major ? 1 : 0, "PMAP process mapping (0=Row-,1=Column-major)") +
         line(1, "# of process grids (P x Q)") +                            //
         line(run.P, "Ps") +                                                //
         line(run.Q, "Qs") +                                                //
         line("16.0", "threshold") +                                        //
         line(1, "# of panel fact") +                                       //
         line(2, "PFACTs (0=left, 1=Crout, 2=Right)") +                     //
         line(1, "# of recursive stopping criterium") +                     //
         line(run.NBMIN, "NBMINs (>= 1)") +                                 //
         line(1, "# of panels in recursion") +                              //
         line(2, "NDIVs") +                                                 //
         line(1, "# of recursive panel fact.") +                            //
         line(run.RFACT, "RFACTs (0=left, 1=Crout, 2=Right)") +             //
         line(1, "# of broadcast") +                                        //
         line(run.BCAST, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)") +  //
         line(1, "# of lookahead depth") +                                  //
         line(1, "DEPTHs (>=0)") +                                          //
         line(run.SWAP, "SWAP (0=bin-exch,1=long,2=mix)") +                 //
         line(64, "swapping threshold") +                                   //
         line(0, "L1 in (0=transposed,1=no-transposed) form") +             //
         line(0, "U  in (0=transposed,1=no-transposed) form") +             //
         line(run.EQUIL, "Equilibration (0=no,1=yes)") +                    //
         line(8, "memory alignment in double (> 0)");
}

std::string hpccinf(const HplDat& run) {
  return hpl_dat(run) + "##### This line (no. 32) is ignored (it serves as a separator). ######\n" +
         line(0, "Number of additional problem sizes for PTRANS") +   //
         line(0, "values of N") +                                     //
         line(0, "number of additional blocking sizes for PTRANS") +  //
         line(0, "values of NB");
}

}  // namespace shakedown::hpl
