import CTLS
import Diagnosis

/// One side of TLS 1.2 or 1.3 (RFC 8446), as bytes: what the other side said is put in, what goes to it is taken
/// out, and what is meant comes and goes in between. It waits for nothing, and holds 32 KiB at most of what comes
/// and of what goes. To be used by one thread at a time.
package final class TLSSession {
  private let session: OpaquePointer
  /// Whether both sides have proved who they are, as far as they have to.
  package private(set) var isOpen = false

  /// A side.
  ///
  /// - Parameters:
  ///   - speaking: what is spoken over TLS (ALPN, RFC 7301), such as `http/1.1`; nil for nothing.
  ///   - isOlder: whether TLS 1.2 is the newest version that is spoken.
  /// - Throws: ``TLSError`` of kind `library` when libssl is missing, `files` when a file cannot be used.
  package init(
    _ role: TLSRole, speaking: String? = nil, isOlder: Bool = false
  ) throws(TLSError) {
    if let problem = ctls_load() {
      throw TLSError(
        .library, "the TLS library is missing: \(String(cString: problem))",
        remedy: "apt-get install libssl3")
    }
    try TLSSession.check(role)
    var texts = TLSTexts()
    var settings = ctls_settings()
    settings.protocol = texts.pointer(speaking)
    settings.is_older = isOlder
    switch role {
    case .client(.system(let name), let asked):
      settings.checked_name = texts.pointer(name)
      settings.server_name = texts.pointer(asked)
    case .client(.authorities(let file, let name), let asked):
      settings.authorities = texts.pointer(file)
      settings.checked_name = texts.pointer(name)
      settings.server_name = texts.pointer(asked)
    case .server(let identity):
      settings.is_server = true
      settings.certificate = texts.pointer(identity.certificateFile)
      settings.key = texts.pointer(identity.keyFile)
    }
    defer { texts.free() }
    var outcome = ctls_failed
    var problem = [CChar](repeating: 0, count: 256)
    guard let session = ctls_open(&settings, &outcome, &problem, problem.count) else {
      throw TLSError(outcome, because: TLSSession.text(problem))
    }
    self.session = session
  }

  deinit { ctls_close(session) }

  /// Nothing that is missing may mean that something is not checked.
  private static func check(_ role: TLSRole) throws(TLSError) {
    guard case .client(let trust, _) = role else { return }
    let texts: [String] =
      switch trust {
      case .system(let name): [name]
      case .authorities(let file, let name): [file] + (name.map { [$0] } ?? [])
      }
    guard texts.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) }) else {
      throw TLSError(
        .files, "whom to trust has no name",
        remedy: "name the server, and the file of its authority")
    }
  }

  /// How many bytes of the other side can be put in now.
  package var room: Int { ctls_room(session) }

  /// How many bytes wait to be taken out.
  package var waiting: Int { ctls_waiting_bytes(session) }

  /// Puts in what the other side said.
  ///
  /// - Returns: how many of the bytes there was room for.
  package func put(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return ctls_put(session, start, bytes.count)
    }
  }

  /// Says that the other side says nothing more.
  package func putEnd() { ctls_put_end(session) }

  /// Takes out what goes to the other side.
  ///
  /// - Returns: how many bytes are at the beginning of the buffer now.
  package func take(into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return ctls_fetch(session, start, bytes.count)
    }
  }

  /// Goes on with the handshake.
  ///
  /// - Returns: whether it is done; else bytes have to come or go first.
  package func handshake() throws(TLSError) -> Bool {
    if isOpen { return true }
    switch ctls_handshake(session) {
    case ctls_done: isOpen = true
    case ctls_waiting: break
    // Who takes leave in the middle of it has not agreed.
    case ctls_left: throw problem(ctls_cut)
    case let outcome: throw problem(outcome)
    }
    return isOpen
  }

  /// Reads at most so many bytes into a buffer that has room for them.
  package func read(_ limit: Int, into buffer: inout [UInt8]) throws(TLSError) -> TLSRead {
    var count = 0
    let room = max(0, min(limit, buffer.count))
    let outcome = buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress, room > 0 else { return ctls_waiting }
      return ctls_read(session, start, room, &count)
    }
    switch outcome {
    case ctls_done: return .bytes(count)
    case ctls_waiting: return .nothing
    case ctls_left: return .end
    default: throw problem(outcome)
    }
  }

  /// Writes.
  ///
  /// - Parameter bytes: those that were not written the last time come first again.
  /// - Returns: how many were written; fewer where some have to be taken out first.
  package func write(_ bytes: ArraySlice<UInt8>) throws(TLSError) -> Int {
    var count = 0
    let outcome = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return ctls_done }
      return ctls_write(session, start, bytes.count, &count)
    }
    guard outcome == ctls_done || outcome == ctls_waiting else { throw problem(outcome) }
    return count
  }

  /// Takes leave: nothing is written afterwards. That goes to the other side like everything.
  package func leave() { ctls_leave(session) }

  /// Whether the other side speaks what this one wanted to be spoken.
  package var isAgreed: Bool { ctls_agreed(session) }

  /// The name that a client asked a server for.
  package var askedName: String? { ctls_asked_name(session).map { String(cString: $0) } }

  private func problem(_ outcome: ctls_outcome) -> TLSError {
    TLSError(outcome, because: String(cString: ctls_problem(session)))
  }

  private static func text(_ characters: [CChar]) -> String {
    characters.withUnsafeBytes { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
