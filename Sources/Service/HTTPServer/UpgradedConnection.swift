import CMicroHTTPD
package import Glibc
import Synchronization

/// A connection that is HTTP no more: a stream of bytes in both directions, under TLS where the server has it.
///
/// Who has taken it closes it, in the end; the server does not stop before. A server that stops ends the stream of
/// each, which is seen by reading.
package final class UpgradedConnection: @unchecked Sendable {
  /// For recv(2) and send(2), which do not wait, until ``close()``.
  package let descriptor: Int32
  /// What came before all that is to be read from the descriptor.
  package let early: [UInt8]
  /// The connection's own socket, also under TLS, for what the kernel knows of it, until ``close()``. It is not read from
  /// or written to.
  package let transport: Int32
  /// POLLRDHUP of poll(2): the other side sends nothing more.
  private static let leave: Int16 = 0x2000
  private let handle: OpaquePointer
  private let isClosed = Mutex(false)

  init(_ descriptor: Int32, early: [UInt8], handle: OpaquePointer, transport: Int32) {
    self.descriptor = descriptor
    self.early = early
    self.handle = handle
    self.transport = transport
  }

  /// What tells poll(2) that the client is gone, until ``close()``: under TLS nothing of that comes from ``descriptor``.
  package var parting: pollfd {
    pollfd(fd: transport, events: UpgradedConnection.leave, revents: 0)
  }

  /// Closes the connection; the descriptor must not be used any more.
  package func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if isFirst { cmhd_close_upgraded(handle) }
  }

  /// Ends the stream, for who has the connection and for the client. The server must still have it.
  func cut() {
    // Under the lock: after it is closed the descriptor may be another's. Where it is closed, and the server goes on
    // waiting for a client who stays, that ends with the connection's own socket.
    isClosed.withLock { isClosed in
      _ = shutdown(isClosed ? transport : descriptor, Int32(SHUT_RDWR))
    }
  }
}
