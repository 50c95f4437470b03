// What the figures were measured on, in one sentence.
#pragma once

#include <string>

namespace quantiplan::bench {

// "4 cores of AMD EPYC, kernel vector-avx512, g++ 12.2.0."
std::string machine_facts();

}  // namespace quantiplan::bench
