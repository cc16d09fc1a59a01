#pragma once

namespace kernel {

/// OpenBLAS chooses its routines by the processor's model. A processor that is newer than the library is
/// taken for an old one: 0.3.21 takes an Emerald Rapids for a Prescott of 2004, uses SSE3 instead of AVX-512
/// and gives 15.7 instead of 73 GFLOP/s a core. Then this starts the program again with routines that the
/// processor can execute (OPENBLAS_CORETYPE, which OpenBLAS reads when it is loaded), and says so on stderr.
/// Call it before MPI_Init.
void use_routines_of_processor(char** argv);

}  // namespace kernel
