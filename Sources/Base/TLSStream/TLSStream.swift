import CLinux
import Diagnosis
import Glibc

/// TLS over a connected socket whose calls do not wait. Whoever owns the socket waits for it, for as long as it likes,
/// closes it, and calls ``proceed()`` when it is ready.
package final class TLSStream {
  /// What is read from the socket at once, and sent.
  private static let chunk = 16 << 10
  /// How often the socket is read for one read: who sends only what TLS keeps to itself must not keep this thread.
  private static let pulls = 8

  private let descriptor: Int32
  private let session: TLSSession
  /// What is meant for the other side, and not written yet.
  private var pending: ArraySlice<UInt8> = []
  /// What the socket had no room for.
  private var wire: ArraySlice<UInt8> = []
  private var outgoing = [UInt8](repeating: 0, count: chunk)
  private var incoming = [UInt8](repeating: 0, count: chunk)
  private var isLeaving = false

  /// TLS over a socket, which has to stay open as long as this is used.
  ///
  /// - Throws: ``TLSError`` as ``TLSSession`` does.
  package init(
    over descriptor: Int32, _ role: TLSRole, speaking: String? = nil, isOlder: Bool = false
  ) throws(TLSError) {
    self.descriptor = descriptor
    session = try TLSSession(role, speaking: speaking, isOlder: isOlder)
  }

  /// Whether the handshake is done.
  package var isOpen: Bool { session.isOpen }

  /// Whether something waits to be sent.
  package var isSending: Bool { !pending.isEmpty || !wire.isEmpty || session.waiting > 0 }

  /// Whether the other side speaks what this one wanted to be spoken.
  package var isAgreed: Bool { session.isAgreed }

  /// The name that a client asked a server for.
  package var askedName: String? { session.askedName }

  /// What poll(2) is asked for.
  ///
  /// - Parameter reads: whether what comes is wanted; the handshake always wants it.
  package func events(reads: Bool) -> Int16 {
    var events: Int16 = 0
    if reads || !isOpen { events |= Int16(POLLIN) }
    if !wire.isEmpty || session.waiting > 0 { events |= Int16(POLLOUT) }
    return events
  }

  /// Goes on with the handshake, and with what waits to be sent.
  package func proceed() throws(TLSError) {
    if !isOpen { try open() }
    if isOpen { try write() }
    try flush()
  }

  /// Sends as much as goes now; the rest waits here.
  package func send(_ bytes: [UInt8]) throws(TLSError) {
    pending += bytes
    try proceed()
  }

  /// Reads at most so many bytes into a buffer that has room for them. More may be there than the socket shows: it is
  /// to be read until there is nothing.
  package func receive(_ limit: Int, into buffer: inout [UInt8]) throws(TLSError) -> TLSRead {
    guard isOpen, limit > 0 else { return .nothing }
    var read = try session.read(limit, into: &buffer)
    for _ in 0..<TLSStream.pulls {
      // What was put in may be part of a record.
      guard read == .nothing, pull() else { break }
      read = try session.read(limit, into: &buffer)
    }
    // An answer of TLS's own, such as to a change of keys. That nothing can be sent any more is no reason to lose
    // what has come.
    _ = try? flush()
    return read
  }

  /// Takes leave; what goes before that is sent still.
  package func leave() {
    isLeaving = true
    // The connection may be gone: then there is nobody to take leave of.
    _ = try? proceed()
  }

  private func open() throws(TLSError) {
    // What the other side said before it closed counts more than that nothing can be sent any more; and where this
    // fails, it is told why.
    defer { _ = try? flush() }
    while try !session.handshake() {
      _ = try? flush()
      guard pull() else { return }
    }
  }

  private func write() throws(TLSError) {
    while !pending.isEmpty {
      let count = try session.write(pending)
      pending = pending.dropFirst(count)
      let isMoving = count > 0 || session.waiting > 0
      try flush()
      guard isMoving, wire.isEmpty else { return }
    }
    pending = []
    guard isLeaving else { return }
    isLeaving = false
    session.leave()
  }

  /// Sends what TLS has for the other side, as far as the socket takes it.
  private func flush() throws(TLSError) {
    while true {
      if wire.isEmpty {
        // A slice that is still there would have the buffer copied.
        wire = []
        let count = session.take(into: &outgoing)
        wire = outgoing[..<count]
      }
      guard !wire.isEmpty else { return }
      let count = wire.withUnsafeBytes { Int(luna_send(descriptor, $0.baseAddress, $0.count)) }
      guard count > 0 else {
        if -count == Int(EAGAIN) { return }
        throw TLSError(.cut, "the connection broke off", remedy: "try again")
      }
      wire = wire.dropFirst(count)
    }
  }

  /// Puts into TLS what the socket has.
  ///
  /// - Returns: whether that was anything, or the end.
  private func pull() -> Bool {
    let room = min(session.room, incoming.count)
    guard room > 0 else { return false }
    let count = incoming.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, room, 0) }
    if count > 0 { return session.put(incoming[..<count]) > 0 }
    guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return false }
    session.putEnd()
    return true
  }
}
