import EventLoop
package import HTTPServer
import LunaStore
import Synchronization
package import UplinkProtocol

/// What a server of HTTP does for uplink checks (UPLINK.md, 7.2): the side channel and the data of slots. Bodies are
/// counted, and not kept.
package final class UplinkService: Sendable {
  private typealias Download = (meter: SlotMeter, bytes: Int, session: Int)

  private struct State {
    var host: UplinkHost
    var lines: [Int: SessionLine] = [:]
    /// The slots of each session, by their numbers.
    var meters: [Int: [Int: SlotMeter]] = [:]
    /// Those whose bytes are asked for.
    var downloads: [String: Download] = [:]
    /// Those of commands, as long as they go on.
    var commands: [String: CommandAnswers] = [:]
  }

  private static let sessionPath = "/v1/uplink/session"
  private static let slotPrefix = "/v1/uplink/slot/"
  /// How long the data of a slot may take.
  private static let patience = Duration.seconds(60)

  private let limits: HostLimits
  private let state: Mutex<State>
  private let began = ContinuousClock.now

  /// A service.
  package init(_ limits: HostLimits = HostLimits()) {
    self.limits = limits
    state = Mutex(State(host: UplinkHost(limits, makeToken: UplinkService.makeToken)))
  }

  /// How many sessions run.
  package var running: Int { state.withLock { $0.host.running } }

  private var time: Double { began.duration(to: .now) / .seconds(1) }

  /// 16 bytes that nobody can guess.
  @Sendable private static func makeToken() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0 ... .max) | 1 << 63, radix: 16) }.joined()
  }

  /// Has a server take the data of slots.
  package func adjust(_ limits: inout HTTPLimits) {
    // A side channel for each, and for those who have to be told that there is no room.
    let most = max(self.limits.running, HostLimits().running)
    limits.upgrades = max(limits.upgrades, 2 * most + self.limits.waiting)
    let others = limits.body
    limits.body = { [self] head in
      head.path.hasPrefix(UplinkService.slotPrefix) ? choose(head) : others(head)
    }
  }

  /// The answer to a request; nil where it is none of an uplink check.
  ///
  /// - Parameter caller: who asks for a session: a key for that, which tells nothing of the token; nil for nobody
  ///   that is known.
  package func answer(
    _ request: HTTPRequest, caller: () async -> String?
  ) async -> HTTPResponse? {
    let path = request.head.path
    if path == UplinkService.sessionPath { return open(request, await caller()) }
    guard path.hasPrefix(UplinkService.slotPrefix) else { return nil }
    let token = String(path.dropFirst(UplinkService.slotPrefix.count))
    if let commands = nextCommands(of: token) { return commands.answer() }
    var response: HTTPResponse
    if let (meter, bytes, _) = state.withLock({ $0.downloads.removeValue(forKey: token) }) {
      response = HTTPResponse(
        200, "application/octet-stream", source: UplinkService.source(bytes, meter))
    } else {
      response = HTTPResponse(204, nil, [])
    }
    response.closes = true
    return response
  }

  /// Who has no token that holds is not answered.
  private func choose(_ head: HTTPHead) -> BodyChoice {
    let token = String(head.path.dropFirst(UplinkService.slotPrefix.count))
    guard ["GET", "POST"].contains(head.method) else { return .unheard }
    let direction: SlotDirection = head.method == "POST" ? .up : .down
    let (time, meter) = (time, SlotMeter())
    return state.withLock { state -> BodyChoice in
      // Of commands one after the other comes.
      if let next = state.commands[token]?.choose(direction, on: head.connection) { return next }
      guard let claim = state.host.claim(token, direction, at: time) else { return .unheard }
      state.meters[claim.session, default: [:]][claim.order.number] = meter
      if claim.hasCommands {
        var commands = CommandAnswers(claim, on: head.connection, meter)
        let first = commands.choose(direction, on: head.connection)
        state.commands[token] = commands
        return first
      }
      guard direction == .up else {
        state.downloads[token] = (meter, claim.order.bytes, claim.session)
        return .kept
      }
      return .received(UplinkService.receiver(claim.order.bytes, meter))
    }
  }

  /// Takes so many bytes.
  private static func receiver(_ limit: Int, _ meter: SlotMeter) -> BodyReceiver {
    var receiver = BodyReceiver(limit: limit, patience: patience) {
      meter.take($0.count)
      return true
    }
    receiver.look = meter.look(at:)
    return receiver
  }

  /// The slot of commands of which a request has come; nil where the token is that of another one.
  private func nextCommands(of token: String) -> CommandAnswers? {
    state.withLock { state in
      let commands = state.commands[token]
      if commands?.isOver == true { state.commands[token] = nil }
      return commands
    }
  }

  /// So many bytes, which no network can make smaller.
  private static func source(_ length: Int, _ meter: SlotMeter) -> BodySource {
    let seed = Mutex(UInt64.random(in: 0 ... .max))
    return BodySource(length: length, patience: patience, look: meter.look(at:)) { buffer in
      let next = seed.withLock { seed in
        seed &+= 1
        return seed
      }
      var generator = SplitMix64(seed: next)
      for start in stride(from: 0, to: buffer.count, by: 8) {
        withUnsafeBytes(of: generator.next()) { word in
          let part = UnsafeMutableRawBufferPointer(rebasing: buffer[start...].prefix(8))
          part.copyMemory(from: UnsafeRawBufferPointer(rebasing: word.prefix(part.count)))
        }
      }
      meter.take(buffer.count)
      return buffer.count
    }
  }

  private func open(_ request: HTTPRequest, _ token: String?) -> HTTPResponse {
    let head = request.head
    guard let token else {
      var refusal = HTTPResponse(401, nil, [])
      refusal.headers.append(("WWW-Authenticate", "Bearer"))
      return refusal
    }
    do throws(WebSocketAnswer.Refusal) {
      let answer = try WebSocketAnswer(
        method: head.method, version: head.first("sec-websocket-version"),
        key: head.first("sec-websocket-key"))
      let upgrade = HTTPUpgrade(to: WebSocketAnswer.name) { [self] connection in
        begin(connection, token: token, request)
      }
      return HTTPResponse(upgrade: upgrade, headers: [("Sec-WebSocket-Accept", answer.accept)])
    } catch {
      switch error {
      case .malformed: return HTTPResponse(400, nil, [])
      case .version:
        var refusal = HTTPResponse(426, nil, [])
        refusal.headers.append(("Sec-WebSocket-Version", WebSocketAnswer.version))
        return refusal
      case .unable: return HTTPResponse(500, nil, [])
      }
    }
  }

  private func begin(_ connection: UpgradedConnection, token: String, _ request: HTTPRequest) {
    let (time, address) = (time, request.client.description)
    let cut = CutAddress(text: String(address.prefix { $0 != "/" }))?.description ?? ""
    let host = request.head.first("host")
    guard let line = SessionLine(connection, asked: host) else { return connection.close() }
    let id = state.withLock { state -> Int? in
      let id = state.host.open(token: token, address: address, cut: cut, at: time)
      if let id { state.lines[id] = line }
      return id
    }
    Blocking.start { [self] in
      guard let id else {
        line.say(.refused(.busy, retryAfter: 60))
        line.end()
        return line.run(heard: { _ in }, idle: {})
      }
      line.run(
        heard: { text in act { $0.take(text, from: id, at: $1) } },
        idle: { act { $0.tick(at: $1) } })
      act { $0.close(id, at: $1) }
      state.withLock {
        $0.lines[id] = nil
        $0.meters[id] = nil
        UplinkService.forget(&$0.downloads, id)
        $0.commands = $0.commands.filter { $0.value.session != id }
      }
    }
  }

  /// Does what the machine says.
  private func act(_ event: (inout UplinkHost, Double) -> [UplinkHost.Action]) {
    let time = time
    state.withLock { state in
      for action in event(&state.host, time) {
        switch action {
        case .say(let id, let reply): state.lines[id]?.say(reply)
        case .tell(let id, let number):
          // A slot for which nobody came has nothing.
          let receipt = state.meters[id]?[number]?.receipt
          state.lines[id]?.say(
            .received(number, receipt ?? SlotReceipt(bytes: 0, seconds: 0, samples: [])))
        case .end(let id):
          state.lines[id]?.end()
          UplinkService.forget(&state.downloads, id)
        }
      }
    }
  }

  /// Whoever has begun to ask may never go on.
  private static func forget(_ downloads: inout [String: Download], _ session: Int) {
    downloads = downloads.filter { $0.value.session != session }
  }
}
