import Glibc
import UplinkProtocol

/// Waits for a socket, as long as nobody calls for the end.
struct SocketWait {
  let end: EndSignal

  /// Waits until something can be done, or time is over.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`.
  func wait(
    for socket: TLSSocket, reads: Bool, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) {
    let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
    let patience = reads && socket.mayHoldMore ? 0 : Int32(max(0, min(left, 1e6)))
    var polls = [
      pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0), socket.query(reads: reads),
    ]
    guard poll(&polls, 2, patience) > 0, polls[0].revents != 0 else { return }
    throw ReplayError(.cancelled)
  }

  /// Waits until a connection is open.
  ///
  /// - Returns: whether it is before the deadline.
  func open(
    _ socket: TLSSocket, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) -> Bool {
    while !socket.isOpen {
      guard deadline > .now else { return false }
      try wait(for: socket, reads: true, until: deadline)
      guard socket.proceed() else { return false }
    }
    return true
  }
}
