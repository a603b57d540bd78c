import Diagnosis
import EventLoop
import Glibc
import UplinkProtocol

/// Waits for a socket, as long as nobody calls for the end.
struct SocketWait {
  let end: EndSignal

  /// Does something on a thread that may wait. A task that is cancelled ends it.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable (SocketWait) throws(ReplayError) -> Value
  ) async throws(ReplayError) -> Value {
    guard let end = EndSignal() else {
      throw ReplayError(
        .connect, "there are no descriptors left", remedy: "allow more open files (ulimit -n)")
    }
    let result = await withTaskCancellationHandler {
      await Blocking.run { () -> Result<Value, ReplayError> in
        do throws(ReplayError) {
          return .success(try body(SocketWait(end: end)))
        } catch {
          return .failure(error)
        }
      }
    } onCancel: {
      end.call()
    }
    return try result.get()
  }

  /// Waits until something can be done, or time is over.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`.
  func wait(
    for socket: TLSSocket, reads: Bool, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) {
    try wait(for: [socket], reads: reads, until: deadline)
  }

  /// The same for one of several.
  func wait(
    for sockets: [TLSSocket], reads: Bool, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) {
    let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
    let isReady = reads && sockets.contains { $0.mayHoldMore }
    let patience = isReady ? 0 : Int32(max(0, min(left, 1e6)))
    var polls = [pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)]
    polls += sockets.map { $0.query(reads: reads) }
    guard poll(&polls, nfds_t(polls.count), patience) > 0, polls[0].revents != 0 else { return }
    throw ReplayError(.cancelled)
  }

  /// Waits until so much time is over.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`.
  func pause(_ time: Duration) throws(ReplayError) {
    try wait(for: [], reads: false, until: ContinuousClock.now + time)
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
