import Diagnosis
import LunaJSON
import SafeText

/// A client of Wehe's in one replay (UPLINK.md, 5.2): events go in, actions come out. It waits for nothing
/// and opens nothing itself.
public struct ReplaySession: Sendable {
  /// Where it is.
  public enum State: String, Sendable {
    case idle, ownAddress, sideChannel, permission, map, senders, pause, data, ok, result, closed
  }

  /// How often one's own address is asked for.
  private static let tries = 5
  /// What is waited between two tries, and before the data, s.
  private static let pause = 1
  /// How long the side channel may take to open, s.
  private static let connectLimit = 60
  /// How long an answer may take, s.
  private static let replyLimit = 120
  /// How many notices may come: two for each port, and as many again. Who sends them for ever takes data without end.
  private static let noticeLimit = 4 * RecordingLimits.pairs
  /// What stands for one's own address where it is not known.
  private static let unknownAddress = "127.0.0.1"

  /// Where it is.
  public private(set) var state = State.idle
  /// How many samples the server wants; nil before it allowed the replay.
  public private(set) var buckets: Int?
  /// One's own address as the server sees it; nil where it does not tell.
  public private(set) var ownAddress: String?

  private let plan: ReplayPlan
  private let server: String
  private var reader = WeheFrameReader()
  private var refusals = 0
  private var map: ReplayMap?
  /// How many ports of the server send over UDP, and how many have ended.
  private var senders = 0
  private var done: Set<UInt16> = []
  /// How many notices of the server came.
  private var notices = 0
  private var isTruncated = false

  /// A replay.
  ///
  /// - Parameter server: the address of the server, as text.
  public init(_ plan: ReplayPlan, server: String) {
    self.plan = plan
    self.server = server
  }

  /// Takes an event.
  public mutating func take(_ event: ReplayEvent) -> [ReplayAction] {
    guard state != .closed else { return [] }
    do throws(ReplayError) {
      return try actions(for: event)
    } catch {
      return finish(.failed(error))
    }
  }

  private mutating func actions(for event: ReplayEvent) throws(ReplayError) -> [ReplayAction] {
    switch event {
    case .begin: return begin()
    case .ownAddress(let answer):
      guard state == .ownAddress else { return [] }
      ownAddress = ReplaySession.address(in: answer)
      return connect()
    case .ownAddressRefused:
      guard state == .ownAddress else { return [] }
      refusals += 1
      guard refusals < ReplaySession.tries else { throw ReplayError(.blocked) }
      return [.wait(ReplaySession.pause)]
    case .connected:
      guard state == .sideChannel else { return [] }
      state = .permission
      // Which bytes are to be changed: none.
      let address = ownAddress ?? ReplaySession.unknownAddress
      return send(plan.declaration(ownAddress: address), "[-1, null, null]") + reply
    case .notConnected: throw ReplayError(.connect)
    case .failed(let error): throw error
    case .received(let bytes):
      reader.append(bytes)
      return try read()
    case .closed:
      // A server that does not know the recording may allow it and send a map all the same.
      throw ReplayError(state == .senders ? .unknownRecording : .lost)
    case .timeIsOver: return try timeIsOver()
    case .data(let data): return try take(data)
    case .cancel:
      let isOpen = [State.permission, .map, .senders, .pause, .data].contains(state)
      return (isOpen ? send("timeout") : []) + finish(.failed(ReplayError(.cancelled)))
    }
  }

  private mutating func begin() -> [ReplayAction] {
    guard state == .idle else { return [] }
    guard case .tcp = plan.recording.packets else { return connect() }
    state = .ownAddress
    return [ask]
  }

  private var ask: ReplayAction {
    .askOwnAddress(Array("GET /WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
  }

  private mutating func connect() -> [ReplayAction] {
    state = .sideChannel
    return [.connect, .wait(ReplaySession.connectLimit)]
  }

  private mutating func timeIsOver() throws(ReplayError) -> [ReplayAction] {
    switch state {
    case .ownAddress: return [ask]
    case .pause:
      guard let map else { throw ReplayError(.malformed) }
      state = .data
      return [.transfer(map, seconds: plan.limit)] + (sendsNothing ? [.endTransfer] : [])
    // The shell ends the data itself.
    case .idle, .data, .closed: return []
    case .sideChannel: throw ReplayError(notOpened: "nobody answers there")
    case .permission, .map, .senders, .ok, .result:
      throw ReplayError(
        .lost, "the server said nothing for \(ReplaySession.replyLimit) s", remedy: "try again")
    }
  }

  /// Whether nobody at the server will say that it has sent everything.
  private var sendsNothing: Bool {
    guard case .udp = plan.recording.packets else { return false }
    return senders == 0
  }

  private mutating func read() throws(ReplayError) -> [ReplayAction] {
    var actions: [ReplayAction] = []
    while state != .closed,
      let message = try reader.next(limit: state == .map ? WeheFrame.mapLimit : WeheFrame.limit)
    {
      actions += try take(message)
    }
    return actions
  }

  private mutating func take(_ message: [UInt8]) throws(ReplayError) -> [ReplayAction] {
    switch state {
    case .permission:
      buckets = try ReplayPermission(message).buckets
      state = .map
      return send(["NoIperf"] + plan.facts) + reply
    case .map:
      map = try ReplayMap(message, for: plan.recording, at: server)
      state = .senders
      return reply
    case .senders:
      guard message.count <= 3, let count = Int(String(decoding: message, as: UTF8.self)),
        (0...RecordingLimits.pairs).contains(count)
      else { throw ReplayError(.malformed, "the server does not say how many of its ports send") }
      senders = count
      state = .pause
      return [.wait(ReplaySession.pause)]
    case .pause, .data: return try take(notice: message)
    case .ok:
      // What was on its way when the limit in time ended the data.
      if try counting(message) != nil { return [] }
      try expectOK(message)
      state = .result
      return send("Result;No") + reply
    case .result:
      try expectOK(message)
      return finish(.finished(isTruncated: isTruncated))
    case .idle, .ownAddress, .sideChannel, .closed: throw ReplayError(.malformed)
    }
  }

  private mutating func take(notice message: [UInt8]) throws(ReplayError) -> [ReplayAction] {
    guard case .udp = plan.recording.packets, let notice = try counting(message) else {
      throw ReplayError(.malformed)
    }
    var actions = [ReplayAction.notice(notice)]
    if case .done(let port) = notice, done.count < senders, done.insert(port).inserted,
      done.count == senders
    {
      actions.append(.endTransfer)
    }
    return actions
  }

  /// The notice that a message is; nil for another one.
  private mutating func counting(_ message: [UInt8]) throws(ReplayError) -> ReplayNotice? {
    guard let notice = ReplayNotice(message) else { return nil }
    notices += 1
    guard notices <= ReplaySession.noticeLimit else { throw ReplayError(.malformed) }
    return notice
  }

  private mutating func take(_ data: ReplayData) throws(ReplayError) -> [ReplayAction] {
    guard state == .data else { return [] }
    switch data {
    case .ended(let seconds, let samples, let isTruncated):
      self.isTruncated = isTruncated
      state = .ok
      let json = samples?.json.description ?? "NoJitter;\(plan.user)"
      return send("DONE;\(max(0, seconds))", json) + reply
    case .ipFlip:
      return send("ipFlip") + finish(.failed(ReplayError(.ipFlip)))
    case .lost:
      return send("timeout") + finish(.failed(ReplayError(.lost)))
    }
  }

  private func expectOK(_ message: [UInt8]) throws(ReplayError) {
    guard message == Array("OK".utf8) else { throw ReplayError(.malformed) }
  }

  private var reply: [ReplayAction] { [.wait(ReplaySession.replyLimit)] }

  private func send(_ messages: String...) -> [ReplayAction] { send(messages) }

  private func send(_ messages: [String]) -> [ReplayAction] {
    messages.map { .send(WeheFrame.bytes($0)) }
  }

  private mutating func finish(_ outcome: ReplayOutcome) -> [ReplayAction] {
    state = .closed
    return [.finish(outcome)]
  }

  /// The address in an answer `HTTP/1.1 200 OK`, an empty line, the address; nil where it is something else.
  private static func address(in answer: [UInt8]) -> String? {
    guard answer.count <= 1024 else { return nil }
    let text = String(decoding: answer, as: UTF8.self)
    guard let gap = text.firstRange(ofText: "\r\n\r\n") else { return nil }
    let address = text[gap.upperBound...]
    guard text[..<gap.lowerBound].hasPrefix("HTTP/1.1 200"), !address.isEmpty,
      address.utf8.count <= 45,
      address.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."),
          UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      })
    else { return nil }
    return String(address)
  }
}
