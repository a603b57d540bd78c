/// A body that is made while it is sent, at the pace at which the client reads.
package final class BodySource: Sendable {
  /// Bytes of the body.
  let length: Int
  /// How long the client may take for it.
  let patience: Duration
  private let read: @Sendable (UnsafeMutableRawBufferPointer) -> Int

  /// A body for one answer.
  ///
  /// - Parameters:
  ///   - length: its bytes.
  ///   - patience: how long the client may take for it.
  ///   - read: fills the front of a buffer with the next bytes, and returns how many, on a thread that must not wait.
  ///     With none the connection is ended: the client knows that it has not got all.
  package init(
    length: Int, patience: Duration,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int
  ) {
    self.length = length
    self.patience = patience
    self.read = read
  }

  /// The next bytes for the library; negative to end the connection.
  func next(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(read(buffer), buffer.count)
    return count > 0 ? count : -1
  }
}
