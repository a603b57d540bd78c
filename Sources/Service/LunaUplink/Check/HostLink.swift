import Diagnosis
import UplinkProtocol

/// The side channel to a server of ours, on a thread that may wait.
final class HostLink {
  /// How long opening it may take.
  private static let openLimit = Duration.seconds(15)
  /// How much may come for a question, with all that is said while others are first, bytes.
  private static let answerLimit = 64 << 10

  private let socket: TLSSocket
  private let waiting: SocketWait
  private var session = WebSocketSession(.client)
  private var replies: [SessionReply] = []
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)
  /// How many bytes of it were told of.
  private var counted = 0
  /// How many bytes have come since something was asked.
  private var heard = 0

  /// Opens it.
  ///
  /// - Parameter name: the name that the server is asked for; nil for none.
  init(
    to place: HostPlace, asking name: String?, token: String, _ waiting: SocketWait
  ) throws(ReplayError) {
    self.waiting = waiting
    socket = try place.connect(asking: name)
    let deadline = ContinuousClock.now + HostLink.openLimit
    guard try waiting.open(socket, until: deadline) else {
      throw socket.failure ?? ReplayError(notOpened: "nobody answers there")
    }
    var opening = WebSocketOpening(
      place.session, subprotocol: nil, fields: ["Authorization: Bearer \(token)"])
    guard socket.send(opening.request) else { throw ReplayError(.lost) }
    var rest: [UInt8]?
    while rest == nil {
      guard let bytes = try receive(until: deadline) else {
        throw ReplayError(notOpened: "the server says nothing")
      }
      do throws(WebSocketError) {
        rest = try opening.take(bytes)
      } catch {
        throw ReplayError(
          .refused, error.diagnosis.problem, remedy: "check the server's address, and the token")
      }
    }
    try perform(session.take(rest ?? []), isAnswer: true)
  }

  /// How many bytes went over it since this was last asked, both ways together, those of TLS among them: a server under
  /// libmicrohttpd says what it says in records of four bytes, which take 26.
  func spent() -> Int {
    let all = socket.counters?.exchanged ?? counted
    defer { counted = all }
    return max(0, all - counted)
  }

  /// Says something, and waits for what is said to it.
  ///
  /// - Parameter request: nil to wait alone.
  func ask(_ request: SessionRequest?, within limit: Duration) throws(ReplayError) -> SessionReply {
    if let request {
      heard = 0
      try perform(session.say(.text(request.text)))
    }
    let deadline = ContinuousClock.now + limit
    while replies.isEmpty {
      guard let bytes = try receive(until: deadline) else {
        throw ReplayError(.lost, "the server says nothing", remedy: "try again")
      }
      // Who always has something to say is never waited for, and would take all time and data.
      heard += bytes.count
      guard heard <= HostLink.answerLimit else { throw HostLink.malformed }
      try perform(session.take(bytes), isAnswer: true)
    }
    return replies.removeFirst()
  }

  /// What has come; nil where time is over. It is read first: where this process was held up, an answer may wait.
  private func receive(until deadline: ContinuousClock.Instant) throws(ReplayError) -> [UInt8]? {
    while true {
      switch socket.receive(buffer.count, into: &buffer) {
      case .bytes(let count): return Array(buffer[..<count])
      case .nothing: break
      case .end, .failure: throw ReplayError(.lost)
      }
      guard deadline > .now else { return nil }
      try waiting.wait(for: socket, reads: true, until: deadline)
      guard socket.proceed() else { throw ReplayError(.lost) }
    }
  }

  /// - Parameter isAnswer: whether something came first. Whoever asks, and does not read the answers, would have them
  ///   wait in memory without end.
  private func perform(
    _ actions: [WebSocketAction], isAnswer: Bool = false
  ) throws(ReplayError) {
    for action in actions {
      switch action {
      case .send(let bytes):
        guard !(isAnswer && socket.isSending), socket.send(bytes) else { throw ReplayError(.lost) }
      case .message(.text(let text)):
        guard let reply = try? SessionReply(text) else { throw HostLink.malformed }
        replies.append(reply)
      case .message(.binary): throw HostLink.malformed
      case .finish: throw ReplayError(.lost)
      }
    }
  }
}
