// What the program opens when it was started by mpirun, and only then: MPI, as the ranks see it.
//
// A module of its own, so that the program runs where no MPI is installed, and starts as fast.
#include <exception>

#include "quantiplan/mpi.hpp"

extern "C" {

// The ranks of this launch; the caller owns them. Null if MPI cannot be begun.
__attribute__((visibility("default"))) quantiplan::Ranks* quantiplan_mpi_begin() {
  int granted = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &granted) != MPI_SUCCESS)
    return nullptr;
  try {
    return new quantiplan::MpiRanks(MPI_COMM_WORLD);
  } catch (const std::exception&) {
    return nullptr;
  }
}

// After the ranks are gone.
__attribute__((visibility("default"))) void quantiplan_mpi_end() { MPI_Finalize(); }

// At once, for all processes.
__attribute__((visibility("default"))) void quantiplan_mpi_abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
}
}
