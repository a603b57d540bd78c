/// What a server answers to the first message: `1;ADDRESS;BUCKETS`, or `0;REASON`.
struct ReplayPermission {
  /// How many samples it wants.
  let buckets: Int

  /// - Throws: what it refuses for.
  init(_ message: [UInt8]) throws(ReplayError) {
    // Whoever cuts a text into parts first holds as many of them as somebody wants.
    guard message.count <= 128 else {
      throw ReplayError(.malformed, "the server's permission is too long")
    }
    let fields = message.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    switch (fields[0], fields.count) {
    case ("1", 3):
      guard let buckets = Int(fields[2]), (1...Samples.limit).contains(buckets) else {
        throw ReplayError(
          .malformed, "the server asks for no number of samples from 1 to \(Samples.limit)")
      }
      self.buckets = buckets
    case ("0", 2...):
      switch fields[1] {
      case "1": throw ReplayError(.unknownRecording)
      case "2": throw ReplayError(.addressBusy)
      case "3": throw ReplayError(.overloaded)
      default: throw ReplayError(.refused)
      }
    default: throw ReplayError(.malformed, "the server's permission is neither 1 nor 0")
    }
  }
}
