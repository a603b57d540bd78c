/// Cuts what comes over a side channel into messages. It holds one message at most, and what has come of the
/// next ones.
public struct WeheFrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  /// Nothing yet.
  public init() {}

  /// Adds what has come.
  public mutating func append(_ bytes: [UInt8]) {
    buffer.removeSubrange(..<start)
    start = 0
    buffer += bytes
  }

  /// The next message; nil while it is not there as a whole.
  ///
  /// - Parameter limit: how long it may be, bytes.
  /// - Throws: ``ReplayError`` of kind `malformed` when its head is not ten digits, or says more than
  ///   the limit. That is known before any of the message has come.
  public mutating func next(limit: Int = WeheFrame.limit) throws(ReplayError) -> [UInt8]? {
    let rest = buffer[start...]
    guard
      rest.prefix(WeheFrame.headCount).allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      })
    else { throw ReplayError(.malformed, "a message does not begin with ten digits") }
    guard rest.count >= WeheFrame.headCount else { return nil }
    // Ten digits are no more than 9,999,999,999.
    let count = rest.prefix(WeheFrame.headCount).reduce(0) {
      $0 * 10 + Int($1 - UInt8(ascii: "0"))
    }
    guard count <= limit else {
      throw ReplayError(
        .malformed, "a message of \(count) bytes is announced, and \(limit) are the limit")
    }
    let message = rest.dropFirst(WeheFrame.headCount)
    guard message.count >= count else { return nil }
    start = message.startIndex + count
    return Array(message.prefix(count))
  }
}
