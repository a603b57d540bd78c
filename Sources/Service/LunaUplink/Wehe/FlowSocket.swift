import Glibc

/// A socket of a replay, whose calls do not wait: what cannot go yet waits in it.
protocol FlowSocket: AnyObject {
  /// Whether it can send and receive.
  var isOpen: Bool { get }
  /// Whether something waits to be sent.
  var isSending: Bool { get }

  /// What is waited for.
  func query(reads: Bool) -> pollfd
  /// Goes on after it became ready with connecting, or with what waits to be sent.
  ///
  /// - Returns: false when that failed.
  func proceed() -> Bool
  /// Sends, over UDP to a port of the server.
  ///
  /// - Returns: false when the connection is gone.
  func send(_ bytes: [UInt8], to port: UInt16) -> Bool
  /// Reads at most so many bytes, or a datagram, into a buffer that has room for them.
  func receive(_ limit: Int, into buffer: inout [UInt8]) -> FlowArrival
}
