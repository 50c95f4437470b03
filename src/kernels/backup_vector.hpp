// The formulas of backup.hpp in blocks of 32 residuals that stay in vector registers.
#pragma once

#include "kernels/backup.hpp"

namespace quantiplan {

// Compiled for the instruction set the name says; call only where supported.
extern const Kernel kVectorBaseline;
#if defined(__x86_64__)
extern const Kernel kVectorAvx2;
extern const Kernel kVectorAvx512;
#endif

}  // namespace quantiplan
