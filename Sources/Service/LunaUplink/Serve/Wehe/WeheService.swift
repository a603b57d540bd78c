import Diagnosis
import EventLoop
import Glibc
package import HTTPServer
import Synchronization
import TLSStream
package import UplinkProtocol

/// A server for clients of Wehe's (UPLINK.md, 7.1): side channels, results, and the ports of its recordings. Nobody
/// signs in: it sends to whom is connected, or has a side channel, and little each day.
package final class WeheService: Sendable {
  struct State {
    var host: WeheHost
    /// Which connections or flows of each replay have begun, what was sent in it, and what is to be said.
    var replays: [Int: Replay] = [:]
    /// How many connections there are, by whose they are.
    var connections: [String: Int] = [:]
    /// The ports that clients know, how many threads use them, and who waits for the last one to end.
    var doors: [WeheDoor] = []
    var sockets: [WeheDatagrams] = []
    var threads = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Neighbours that did not answer, and until when they are not asked again: clients do not wait for them.
    var silent: [String: ContinuousClock.Instant] = [:]
  }

  struct Replay {
    var begun: Set<Int> = []
    var reads = ReplayReads()
    var first: ContinuousClock.Instant?
    var notices: [ReplayNotice] = []
    /// What was lost, and since when it is counted.
    var loss = ReplayLoss()
    var began: ContinuousClock.Instant?
  }

  /// How many connections there are at once, and how many of one client.
  private static let most = (connections: 128, each: 40)
  /// How often it is looked whether something is to be said.
  private static let tick = Duration.milliseconds(100)
  /// For how long a neighbour that did not answer is asked nothing more.
  static let rest = Duration.seconds(60)
  /// How long a client may take for its first words, for all of a session, to read an answer, and for the data.
  static let patience = (
    first: Duration.seconds(10), session: Duration.seconds(240), answer: Duration.seconds(30),
    data: Duration.seconds(45)
  )

  let recordings: WeheRecordings
  let neighbours: WeheNeighbours
  let state: Mutex<State>
  let end: EndSignal
  private let identity: TLSIdentity
  private let date: @Sendable () -> String
  private let began = ContinuousClock.now

  /// A server that does not run yet; nil where there are no descriptors left.
  ///
  /// - Parameters:
  ///   - certificate: the file of what it shows over TLS (PEM).
  ///   - key: the file of the key of that.
  ///   - neighbours: other servers with which a difference can be located.
  ///   - date: now, `YYYY-MM-DD HH:MM:SS`, UTC.
  package init?(
    _ recordings: WeheRecordings, certificate: String, key: String,
    neighbours: WeheNeighbours = WeheNeighbours(), date: @escaping @Sendable () -> String
  ) {
    guard let end = EndSignal() else { return nil }
    self.end = end
    self.recordings = recordings
    self.neighbours = neighbours
    state = Mutex(State(host: WeheHost(pairs: neighbours.pairs)))
    identity = TLSIdentity(certificateFile: certificate, keyFile: key)
    self.date = date
  }

  deinit { end.call() }

  /// How many replays are made.
  package var running: Int { state.withLock { $0.host.running } }

  var time: Double { began.duration(to: .now) / .seconds(1) }

  /// Listens on all ports; waits where the name of the host has to be looked up.
  ///
  /// - Parameter ports: side channel plain and TLS, results plain and TLS.
  /// - Returns: what serves results.
  package func start(on host: String, ports: [UInt16]) throws(ServerError) -> [HTTPListener] {
    func address(_ port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port) }
    var doors = [
      try WeheDoor(.side(isPlain: true), address(ports[0])),
      try WeheDoor(.side(isPlain: false), address(ports[1])),
    ]
    for port in recordings.ports(true) { doors.append(try WeheDoor(.data, address(port))) }
    var sockets: [WeheDatagrams] = []
    for port in recordings.ports(false) {
      guard let socket = WeheDatagrams(on: host, port: port) else {
        let reason = String(cString: strerror(errno))
        throw ServerError(
          .address, "cannot use port \(port) of UDP: \(reason)",
          remedy: "leave out recordings with ports that are in use")
      }
      sockets.append(socket)
    }
    let files = try TLSFiles(certificateFile: identity.certificateFile, keyFile: identity.keyFile)
    var listeners: [HTTPListener] = []
    // All that may be in use before anything is served: who cannot begin leaves nothing behind.
    let (plain, secure) = (
      try ListeningSocket(address(ports[2])), try ListeningSocket(address(ports[3]))
    )
    let served: [(socket: ListeningSocket, tls: TLSFiles?)] = [(secure, files), (plain, nil)]
    for (socket, tls) in served {
      let listener = HTTPListener { [self] request in await answer(request) }
      _ = try listener.start(on: socket, tls: tls)
      listeners.append(listener)
    }
    state.withLock { [doors, sockets] state in
      state.doors = doors
      state.sockets = sockets
    }
    begin { [self, doors] in listen(doors) }
    for socket in sockets { begin { [self] in serve(socket) } }
    return listeners
  }

  /// Begins what uses the ports.
  func begin(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.threads += 1 }
    Blocking.start { [self] in
      body()
      let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.threads -= 1
        guard state.threads == 0 else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for one in waiting { one.resume() }
    }
  }

  /// Ends everything, and lets go of the ports of side channels and data: whoever begins anew may want the same.
  package func stop() async {
    end.call()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state -> Bool in
        guard state.threads > 0 else { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
    let (doors, sockets) = state.withLock { ($0.doors, $0.sockets) }
    for door in doors { door.socket.close() }
    for socket in sockets { socket.close() }
  }

  private func listen(_ doors: [WeheDoor]) {
    var polls = ([end.descriptor] + doors.map(\.socket.descriptor)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var turns = AcceptTurns()
    while true {
      let rest = turns.rest(at: .now)
      // Without room for another connection, only the end is waited for.
      let found = poll(&polls, nfds_t(rest < 0 ? polls.count : 1), rest)
      guard found >= 0 || errno == EINTR else { return }
      guard found > 0 else { continue }
      guard polls[0].revents == 0 else { return }
      for (index, door) in doors.enumerated() where polls[index + 1].revents != 0 {
        // The others serve on.
        if !accept(door, &turns) { polls[index + 1].fd = -1 }
      }
    }
  }

  /// - Returns: false where the door listens no more.
  private func accept(_ door: WeheDoor, _ turns: inout AcceptTurns) -> Bool {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = withUnsafeMutableBytes(of: &storage) { bytes in
      Glibc.accept(
        door.socket.descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard descriptor >= 0 else { return turns.goOn(after: errno, at: .now) }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
      let address = WeheAddress(storage), enter(address)
    else {
      close(descriptor)
      return true
    }
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    Blocking.start { [self] in
      defer { leave(address) }
      var shown: TLSIdentity?
      if case .side(isPlain: false) = door.kind { shown = identity }
      guard let peer = try? WehePeer(descriptor, address, shown, end) else { return }
      switch door.kind {
      case .side: converse(peer)
      case .data: serveData(peer, port: door.socket.address.port)
      }
    }
    return true
  }

  private func enter(_ address: WeheAddress) -> Bool {
    state.withLock { state in
      let count = state.connections[address.client, default: 0]
      let all = state.connections.values.reduce(0, +)
      guard count < WeheService.most.each, all < WeheService.most.connections else { return false }
      state.connections[address.client] = count + 1
      return true
    }
  }

  private func leave(_ address: WeheAddress) {
    state.withLock { state in
      let count = state.connections[address.client, default: 1] - 1
      state.connections[address.client] = count > 0 ? count : nil
    }
  }

  private func converse(_ peer: WehePeer) {
    let address = peer.address
    let id = state.withLock { $0.host.open(address: address.text, client: address.client) }
    guard let id else { return }
    defer {
      state.withLock { state in
        state.host.close(id)
        state.replays[id] = nil
      }
    }
    let began = ContinuousClock.now
    var conversation = WeheConversation()
    var (waiting, hasAsked): (WeheDeclaration?, Bool) = (nil, false)
    while true {
      let limit = hasAsked ? WeheService.patience.session : WeheService.patience.first
      guard began.duration(to: .now) < limit,
        let bytes = peer.receive(until: ContinuousClock.now + WeheService.tick)
      else { return }
      var actions = bytes.isEmpty ? [] : conversation.take(bytes)
      if let declaration = waiting,
        let decided = permit(id, declaration, address, &conversation)
      {
        waiting = nil
        actions += decided
      }
      for notice in notices(of: id) { actions += conversation.notice(notice) }
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .send(let bytes):
          guard peer.send(bytes, until: ContinuousClock.now + WeheService.patience.answer) else {
            return
          }
        case .ask(let declaration):
          hasAsked = true
          if let decided = permit(id, declaration, address, &conversation) {
            actions += decided
          } else {
            waiting = declaration
          }
        case .end(let samples): keep(samples, of: id)
        case .close: return
        }
      }
    }
  }

  /// Whether a replay may be made; nil where that is not known yet.
  private func permit(
    _ id: Int, _ declaration: WeheDeclaration, _ address: WeheAddress,
    _ conversation: inout WeheConversation
  ) -> [WeheConversation.Action]? {
    guard let map = recordings.map(of: declaration.replay) else { return conversation.refuse(1) }
    let time = time
    let permission = state.withLock { state in
      let permission = state.host.permission(id, declaration, at: time)
      if permission == .allowed { state.replays[id] = Replay() }
      return permission
    }
    switch permission {
    case .allowed:
      return conversation.allow(
        address.text, map: map, senders: recordings.senders(of: declaration.replay))
    case .refused(let reason): return conversation.refuse(reason)
    case .waiting: return nil
    }
  }

  private func notices(of id: Int) -> [ReplayNotice] {
    state.withLock { state in
      let notices = state.replays[id]?.notices ?? []
      state.replays[id]?.notices = []
      return notices
    }
  }

  private func keep(_ samples: ReplaySamples?, of id: Int) {
    let (now, text) = (time, date())
    state.withLock { state in
      let own = state.replays[id]?.reads.samples(
        WeheConversation.buckets, .real(leastRoundTrip: 0))
      let loss = state.replays[id]?.loss ?? ReplayLoss()
      state.host.keep(id, samples, own: own, loss: loss, at: now, date: text)
    }
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.head.path == AnalysisSession.path else { return HTTPResponse(404, nil, []) }
    let parameters =
      request.head.method == "POST"
      ? HTTPHead.parameters(of: String(decoding: request.body, as: UTF8.self)[...])
      : request.head.queryParameters
    let fields = Dictionary(
      parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    if fields["command"] == "localize" { return HTTPResponse(200, json: await locate(fields)) }
    let time = time
    let results = state.withLock { $0.host.results }
    return HTTPResponse(200, json: results.answer(fields, at: time))
  }
}
