_Noreturn void luna_never(void);

// The end of the program. It takes the place of functions that nothing can come to in programs that are installed
// (scripts/lib/release.ld), which is 30 kB: those of sets of ranges (RangeSet, DiscontiguousSlice), of differences between
// collections and of halves of SIMD16, which no source makes and the standard library keeps for their protocols, and what
// reads and writes vectors of numbers for a decoder and an encoder.
// Elsewhere nobody calls it.
_Noreturn void luna_never(void) {
  __builtin_trap();
}
