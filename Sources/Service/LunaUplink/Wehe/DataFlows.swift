import Glibc
import UplinkProtocol

/// The sockets of the data of a replay.
final class DataFlows: ReplayPart {
  /// How long connecting may take.
  private static let connectLimit = Duration.seconds(5)
  /// What is read at once; no datagram is larger.
  private static let chunk = 64 << 10
  /// How many datagrams may wait when a server says that it has sent all.
  private static let rest = 1024

  private var transfer: any ReplayTransfer
  private let map: ReplayMap
  private let sockets: [any FlowSocket]
  private let sampling: Sampling
  /// No more is received than this.
  private let byteLimit: Int
  private var buffer = [UInt8](repeating: 0, count: chunk)
  private let connectDeadline: ContinuousClock.Instant
  private var began: ContinuousClock.Instant?
  private var isOver = false
  /// How long the data took, s.
  private(set) var seconds = 0.0
  /// What the server is sent.
  private(set) var samples: ReplaySamples?

  /// Begins to connect; nil where that fails at once.
  init?(
    _ transfer: any ReplayTransfer, _ map: ReplayMap, to server: ServerAddress,
    _ sampling: Sampling, byteLimit: Int
  ) {
    var sockets: [any FlowSocket] = []
    for flow in transfer.flows {
      let socket: (any FlowSocket)? =
        switch flow {
        case .connection(let end):
          map.port(for: end).flatMap { StreamSocket(to: server, port: $0) }
        case .port: DatagramSocket(to: server)
        }
      guard let socket else { return nil }
      sockets.append(socket)
    }
    self.transfer = transfer
    self.map = map
    self.sockets = sockets
    self.sampling = sampling
    self.byteLimit = byteLimit
    connectDeadline = ContinuousClock.now + DataFlows.connectLimit
  }

  /// All that came.
  var reads: ReplayReads { transfer.reads }

  /// The least round trip, s; nil where none is known.
  var leastRoundTrip: Double? {
    sockets.compactMap { ($0 as? StreamSocket)?.leastRoundTrip }.min() ?? sampling.roundTrip
  }

  var queries: [pollfd] {
    sockets.enumerated().map { flow, socket in
      socket.query(reads: began != nil && transfer.wanted(on: flow) > 0)
    }
  }

  var deadline: ContinuousClock.Instant? {
    guard !isOver else { return nil }
    return began?.advanced(by: .seconds(transfer.deadline)) ?? connectDeadline
  }

  /// Begins, where nothing has to be connected.
  func begin() -> [ReplayEvent] { open([]) }

  /// The server has sent everything over UDP. What has come by then is read first, as far as that has an end.
  func end() -> [ReplayEvent] {
    for flow in sockets.indices {
      for _ in 0..<DataFlows.rest {
        guard !isOver,
          case .bytes(let count) = sockets[flow].receive(
            transfer.wanted(on: flow), into: &buffer)
        else { break }
        let events = take(.received(buffer[..<count], on: flow))
        guard events.isEmpty else { return events }
      }
    }
    return isOver ? [] : take(.serverIsDone)
  }

  func serve(_ ready: [Int16]) -> [ReplayEvent] {
    guard !isOver else { return [] }
    guard began != nil else { return open(ready) }
    for (flow, ready) in ready.enumerated() where ready != 0 {
      let events = exchange(on: flow)
      guard events.isEmpty else { return events }
    }
    guard let deadline, deadline <= .now else { return [] }
    return take(.timeIsOver)
  }

  private func open(_ ready: [Int16]) -> [ReplayEvent] {
    for (socket, ready) in zip(sockets, ready) where ready != 0 && !socket.isOpen {
      guard socket.proceed() else { return finish(.lost) }
    }
    guard sockets.allSatisfy({ $0.isOpen }) else {
      return connectDeadline <= .now ? finish(.lost) : []
    }
    began = ContinuousClock.now
    return take(.begin)
  }

  /// Reads first: what a server said before it closed counts more than that nothing can be sent any more.
  private func exchange(on flow: Int) -> [ReplayEvent] {
    let socket = sockets[flow]
    let wanted = transfer.wanted(on: flow)
    if wanted > 0 {
      let events: [ReplayEvent] =
        switch socket.receive(wanted, into: &buffer) {
        case .bytes(let count): take(.received(buffer[..<count], on: flow))
        case .nothing: []
        case .end: take(.closed(flow))
        case .failure: take(.broken(flow))
        }
      guard events.isEmpty, !isOver else { return events }
    }
    guard socket.isSending else { return [] }
    guard socket.proceed() else { return take(.broken(flow)) }
    return socket.isSending ? [] : take(.sent(on: flow))
  }

  private func take(_ first: TransferEvent) -> [ReplayEvent] {
    var events = [first]
    while let event = events.popLast() {
      let now = time
      for action in transfer.take(event, at: now) {
        switch action {
        case .send(let bytes, let flow, let end):
          let socket = sockets[flow]
          if !socket.send(bytes, to: map.port(for: end) ?? 0) {
            events.append(.broken(flow))
          } else if !socket.isSending {
            events.append(.sent(on: flow))
          }
        case .finish(let end): return finish(end)
        }
      }
    }
    // Over UDP a server sends what it likes.
    return transfer.reads.count < byteLimit ? [] : finish(.limit)
  }

  private var time: Double { began.map { $0.duration(to: .now) / .seconds(1) } ?? 0 }

  private func finish(_ end: TransferEnd) -> [ReplayEvent] {
    isOver = true
    seconds = time
    samples = sampling.samples(of: transfer.reads, leastRoundTrip: leastRoundTrip)
    return [.data(ReplayData(end, seconds: seconds, samples: samples))]
  }
}
