import Synchronization

/// A body that is made while it is sent, at the pace at which the client reads.
package final class BodySource: Sendable {
  /// Bytes of the body.
  let length: Int
  /// How long the client may take for it.
  let patience: Duration
  private let read: @Sendable (UnsafeMutableRawBufferPointer) -> Int
  private let look: (@Sendable (Int32) -> Void)?
  /// That of the connection, while there is one.
  private let socket = Atomic<Int32>(-1)

  /// A body for one answer.
  ///
  /// - Parameters:
  ///   - length: its bytes.
  ///   - patience: how long the client may take for it.
  ///   - read: fills the front of a buffer with the next bytes, and returns how many, on a thread that must not wait.
  ///     With none the connection is ended: the client knows that it has not got all.
  ///   - look: is given the socket of the connection before each piece, and at the end of the request, for what the
  ///     kernel knows of it. It must not read from it or write to it, nor keep it.
  package init(
    length: Int, patience: Duration, look: (@Sendable (Int32) -> Void)? = nil,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int
  ) {
    self.length = length
    self.patience = patience
    self.look = look
    self.read = read
  }

  /// Its connection is there.
  func begin(on socket: Int32) { self.socket.store(socket, ordering: .relaxed) }

  /// Its connection ends.
  func end() {
    lookNow()
    socket.store(-1, ordering: .relaxed)
  }

  private func lookNow() {
    let socket = socket.load(ordering: .relaxed)
    if socket >= 0 { look?(socket) }
  }

  /// The next bytes for the library; negative to end the connection.
  func next(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    lookNow()
    let count = min(read(buffer), buffer.count)
    return count > 0 ? count : -1
  }
}
