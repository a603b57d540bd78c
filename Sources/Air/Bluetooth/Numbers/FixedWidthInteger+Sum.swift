extension FixedWidthInteger {
  /// Both together, or the number nearest to that: what is counted may come from a damaged file, or from whoever says
  /// what they want.
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }
}
