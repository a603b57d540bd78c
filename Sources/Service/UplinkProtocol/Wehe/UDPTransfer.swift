/// The data of a replay over UDP: each datagram goes at its time. It ends when all have gone and the server says
/// that it has sent everything, or at the limit.
public struct UDPTransfer: ReplayTransfer {
  private let datagrams: [RecordedDatagram]
  private let ports: [UInt16]
  /// The socket of each datagram.
  private let places: [Int]
  private let isTimed: Bool
  private let limit: Double
  private var next = 0
  private var isSending = false
  private var serverIsDone = false
  private var isOver = false
  /// What has come so far.
  public private(set) var reads = ReplayReads()

  /// Data.
  ///
  /// - Parameters:
  ///   - isTimed: whether datagrams go no earlier than they were recorded.
  ///   - limit: how long it may take, s.
  public init(_ datagrams: [RecordedDatagram], isTimed: Bool, limit: Double) {
    var ports: [UInt16] = []
    var places: [Int] = []
    for datagram in datagrams {
      let port = datagram.pair.client.port
      // There are few: a recording has at most 16.
      let number = ports.firstIndex(of: port) ?? ports.count
      if number == ports.count { ports.append(port) }
      places.append(number)
    }
    self.datagrams = datagrams
    self.ports = ports
    self.places = places
    self.isTimed = isTimed
    self.limit = limit
  }

  /// The client's ports, in the order in which they are first used.
  public var flows: [TransferFlow] { ports.map { .port($0) } }

  /// When it wants to hear that time is over, s.
  public var deadline: Double {
    guard isTimed, !isSending, next < datagrams.count else { return limit }
    return min(limit, datagrams[next].time)
  }

  /// A datagram is read as a whole.
  public func wanted(on flow: Int) -> Int { RecordingLimits.datagram }

  /// Takes an event.
  public mutating func take(_ event: TransferEvent, at time: Double) -> [TransferAction] {
    guard !isOver else { return [] }
    switch event {
    case .begin: break
    case .sent: isSending = false
    case .received(let bytes, _): reads.append(bytes.count, at: time)
    case .serverIsDone: serverIsDone = true
    // There is no connection.
    case .closed, .broken: return []
    case .timeIsOver:
      guard time < limit else { return finish(.limit) }
    }
    return proceed(at: time)
  }

  private mutating func proceed(at time: Double) -> [TransferAction] {
    guard !isSending else { return [] }
    guard next < datagrams.count else { return serverIsDone ? finish(.complete) : [] }
    let (datagram, flow) = (datagrams[next], places[next])
    guard !isTimed || datagram.time <= time else { return [] }
    next += 1
    isSending = true
    return [.send(datagram.payload, on: flow, to: datagram.pair.server)]
  }

  private mutating func finish(_ end: TransferEnd) -> [TransferAction] {
    isOver = true
    return [.finish(end)]
  }
}
