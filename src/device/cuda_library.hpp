// The two libraries of a machine with an NVIDIA GPU, opened while the program runs: the driver (libcuda) and its
// compiler (libnvrtc). Nothing of them is needed to build the program, or where there is no GPU.
#pragma once

#include <string>

namespace quantiplan {

// As the libraries declare them: results are 0 for success; handles are pointers; addresses 64-bit numbers.
struct CudaDriver {
  int (*init)(unsigned flags);
  int (*driver_version)(int* version);
  int (*error_text)(int result, const char** text);
  int (*device_count)(int* count);
  int (*device_get)(int* device, int ordinal);
  int (*device_name)(char* name, int size, int device);
  int (*device_attribute)(int* value, int attribute, int device);
  int (*context_retain)(void** context, int device);
  int (*context_use)(void* context);
  int (*memory_info)(std::size_t* free, std::size_t* total);
  int (*memory_take)(unsigned long long* address, std::size_t bytes);
  int (*memory_give_back)(unsigned long long address);
  int (*copy_in)(unsigned long long to, const void* from, std::size_t bytes, void* stream);
  int (*copy_out)(void* to, unsigned long long from, std::size_t bytes, void* stream);
  int (*copy_within)(unsigned long long to,
                     unsigned long long from,
                     std::size_t bytes,
                     void* stream);
  int (*pinned_take)(void** memory, std::size_t bytes, unsigned flags);
  int (*pinned_give_back)(void* memory);
  int (*stream_create)(void** stream, unsigned flags);
  int (*stream_destroy)(void* stream);
  int (*stream_wait)(void* stream);
  int (*module_load)(void** module, const void* image);
  int (*module_function)(void** function, void* module, const char* name);
  int (*launch)(void* function,
                unsigned blocks_x,
                unsigned blocks_y,
                unsigned blocks_z,
                unsigned threads_x,
                unsigned threads_y,
                unsigned threads_z,
                unsigned shared_bytes,
                void* stream,
                void** arguments,
                void** extra);
};

struct CudaCompiler {
  int (*version)(int* major, int* minor);
  const char* (*error_text)(int result);
  int (*create)(void** program,
                const char* source,
                const char* name,
                int header_count,
                const char* const* headers,
                const char* const* header_names);
  int (*destroy)(void** program);
  int (*compile)(void* program, int option_count, const char* const* options);
  int (*log_size)(void* program, std::size_t* size);
  int (*log)(void* program, char* text);
  int (*code_size)(void* program, std::size_t* size);
  int (*code)(void* program, char* code);
};

// Null if it is not there; `why` then says what is missing. They stay open until the program ends.
const CudaDriver* cuda_driver(std::string& why);
const CudaCompiler* cuda_compiler(std::string& why);

}  // namespace quantiplan
