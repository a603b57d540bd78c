/// Why a case has no output.
enum VectorFault: Error {
  /// The function refuses the input, which the vector may expect.
  case rejected
  /// A field is missing, or has another length.
  case input
  /// What is computed with has failed.
  case crypto
}
