// What kernels are written with: a warp of 32 lanes, for a device's compiler and for a C++ compiler alike.
//
//     QUANTIPLAN_KERNEL(name, Arguments) { .. in .. warp .. QUANTIPLAN_LANES(lane) { .. } .. }
//
// On a device the lanes of a run through them are threads; compiled as C++ they are a loop. What goes from one run to the
// next lies in arrays with a place for each lane, or is the same for all.
#pragma once

#ifdef __CUDACC_RTC__
#define QUANTIPLAN_DEVICE __device__ __forceinline__
#define QUANTIPLAN_KERNEL(name, Arguments)                                                  \
  QUANTIPLAN_DEVICE void name##_by(const Arguments& in, u64 warp);                          \
  extern "C" __global__ void __launch_bounds__(128, 5) name(const Arguments in) {           \
    name##_by(in, in.first_warp + (static_cast<u64>(blockIdx.x) * 128 + threadIdx.x) / 32); \
  }                                                                                         \
  QUANTIPLAN_DEVICE void name##_by(const Arguments& in, u64 warp)
#define QUANTIPLAN_LANES(lane) if ([[maybe_unused]] const u32 lane = threadIdx.x % 32; true)
// What each lane has of its own from one run through the lanes to the next: an array, and the place in it.
#define QUANTIPLAN_LANES_HELD 1
#define QUANTIPLAN_MINE(lane) 0
// An array of a warp that its lanes write before `QUANTIPLAN_MEET` and read after it.
#define QUANTIPLAN_SHARED(Type, name, size) \
  __shared__ Type name##_of_block[4][size]; \
  Type* const name = name##_of_block[threadIdx.x / 32]
#define QUANTIPLAN_MEET __syncwarp()
#define QUANTIPLAN_UNROLL(times) _Pragma(QUANTIPLAN_TEXT(unroll times))
#define QUANTIPLAN_TEXT(words) #words
#else
#define QUANTIPLAN_DEVICE inline
#define QUANTIPLAN_KERNEL(name, Arguments) inline void name(const Arguments& in, u64 warp)
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define QUANTIPLAN_LANES(lane) for (u32 lane = 0; lane < 32; ++lane)
#define QUANTIPLAN_LANES_HELD 32
#define QUANTIPLAN_MINE(lane) (lane)
// A declaration takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define QUANTIPLAN_SHARED(Type, name, size) Type name[size]
#define QUANTIPLAN_MEET
#define QUANTIPLAN_UNROLL(times)
#endif

namespace quantiplan::device {

using u32 = unsigned;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;

QUANTIPLAN_DEVICE i64 clamped(i64 x, i64 least, i64 most) {
  return x < least ? least : x > most ? most : x;
}

// The last position whose begin is at most `at`; begin[0] = 0.
QUANTIPLAN_DEVICE u32 position_of(const u64* begin, u32 count, u64 at) {
  u32 low = 0;
  for (u32 high = count; high - low > 1;) {
    const u32 middle = low + (high - low) / 2;
    if (begin[middle] <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

QUANTIPLAN_DEVICE u32 ones_of(u32 bits) {
#ifdef __CUDACC_RTC__
  return static_cast<u32>(__popc(static_cast<int>(bits)));
#else
  return static_cast<u32>(__builtin_popcount(bits));
#endif
}

// Bit l: what lane l answers.
template <class Ask>
QUANTIPLAN_DEVICE u32 votes(const Ask& ask) {
#ifdef __CUDACC_RTC__
  return __ballot_sync(0xFFFFFFFFU, ask(threadIdx.x % 32));
#else
  u32 bits = 0;
  for (u32 lane = 0; lane < 32; ++lane) bits |= (ask(lane) ? 1U : 0U) << lane;
  return bits;
#endif
}

// Of an array that no kernel writes while it is read; read here, whether it is needed or not.
QUANTIPLAN_DEVICE double fixed(const double* at) {
#ifdef __CUDACC_RTC__
  double value = __ldg(at);
  asm volatile("" : "+d"(value));
  return value;
#else
  return *at;
#endif
}

template <class T>
QUANTIPLAN_DEVICE void put_passing(T* at, T value) {
#ifdef __CUDACC_RTC__
  __stcs(at, value);
#else
  *at = value;
#endif
}

}  // namespace quantiplan::device
