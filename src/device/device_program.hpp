// The kernels as code for one kind of device: compiled when they are first needed, and kept on disk.
//
//     $XDG_CACHE_HOME/quantiplan/kernels-HASH.cubin     hash of source, architecture and compiler
//
// A file is written under another name and renamed, so that two programs at once do no harm; one that cannot be read or
// written only costs the time to compile. A file that is not what was written (its length and hash stand in it) is
// compiled anew.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "device/cuda_library.hpp"

namespace quantiplan {

// The texts of the kernels as this program was built with them, by the name that an include gives them.
struct KernelText {
  const char* name;
  const char* text;
};
std::span<const KernelText> kernel_texts() noexcept;

// Code for compute capability major.minor; empty, and `why` says it, if it cannot be made.
std::vector<char> device_program(const CudaCompiler& compiler,
                                 int major,
                                 int minor,
                                 std::string& why);

// Where it is kept; empty: nowhere. `XDG_CACHE_HOME`, or .cache of the home.
std::string kernel_cache_folder();

}  // namespace quantiplan
