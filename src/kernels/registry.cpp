#include <algorithm>

#include "kernels/backup.hpp"
#include "kernels/backup_reference.hpp"
#include "kernels/backup_vector.hpp"

namespace quantiplan {
namespace {

bool always() noexcept { return true; }

}  // namespace

std::span<const Kernel> kernels() noexcept {
  static const Kernel list[] = {
    {"reference", always, mix_reference, back_up_reference, add_scaled_reference},
    kVectorBaseline,
#if defined(__x86_64__)
    kVectorAvx2,
    kVectorAvx512,
#endif
  };
  return list;
}

const Kernel* find_kernel(std::string_view name) noexcept {
  const Kernel* best = nullptr;
  for (const Kernel& kernel : kernels()) {
    if (kernel.supported() && (name == "auto" || name == kernel.name)) best = &kernel;
  }
  return best;
}

}  // namespace quantiplan
