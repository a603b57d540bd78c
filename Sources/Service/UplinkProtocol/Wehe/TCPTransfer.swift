/// The data of a replay over TCP: a packet goes at its time, and after the whole answer to the one before on
/// its connection. Packets keep the order of the recording.
///
/// Only the length of an answer counts. A server without the recorded bytes answers with others.
public struct TCPTransfer: ReplayTransfer {
  private struct Connection {
    let server: RecordedEndpoint
    /// How many bytes of answers are to come; below 0 where more came than was asked for.
    var missing = 0
    var isSending = false
    var isClosed = false
    /// When it last brought something, or what it waits for was asked, s.
    var heard = 0.0
    var beginning: [UInt8] = []

    var isIdle: Bool { !isSending && missing <= 0 }
    var isWaiting: Bool { !isSending && missing > 0 }
  }

  /// An answer that lacks fewer bytes is whole when the server closes.
  private static let tolerance = 100
  /// How long a connection may say nothing when it is to answer, s.
  private static let silence = 30.0
  /// What a server says to a client that comes from another address than its side channel.
  private static let suspicion = Array("SuspiciousClientIP!".utf8)

  private let requests: [RecordedRequest]
  /// The connection of each request.
  private let places: [Int]
  private let isTimed: Bool
  private let limit: Double
  private var connections: [Connection]
  private var next = 0
  private var isOver = false
  /// What has come so far.
  public private(set) var reads = ReplayReads()

  /// Data.
  ///
  /// - Parameters:
  ///   - isTimed: whether packets go no earlier than they were recorded.
  ///   - limit: how long it may take, s.
  public init(_ requests: [RecordedRequest], isTimed: Bool, limit: Double) {
    var numbers: [ConnectionPair: Int] = [:]
    var connections: [Connection] = []
    var places: [Int] = []
    for request in requests {
      let number = numbers[request.pair] ?? connections.count
      if number == connections.count {
        numbers[request.pair] = number
        connections.append(Connection(server: request.pair.server))
      }
      places.append(number)
    }
    self.requests = requests
    self.places = places
    self.connections = connections
    self.isTimed = isTimed
    self.limit = limit
  }

  /// Connections, in the order in which they are first used.
  public var flows: [TransferFlow] { connections.map { .connection(to: $0.server) } }

  /// When it wants to hear that time is over, s.
  public var deadline: Double {
    var first = limit
    for connection in connections where connection.isWaiting {
      first = min(first, connection.heard + TCPTransfer.silence)
    }
    guard isTimed, next < requests.count, connections[places[next]].isIdle else { return first }
    return min(first, requests[next].time)
  }

  /// How many bytes may be read from a connection now. The first ones are read in any case: they may say that
  /// the server does not want this client.
  public func wanted(on flow: Int) -> Int {
    let connection = connections[flow]
    guard !connection.isClosed else { return 0 }
    return max(connection.missing, TCPTransfer.suspicion.count - connection.beginning.count)
  }

  /// Takes an event.
  public mutating func take(_ event: TransferEvent, at time: Double) -> [TransferAction] {
    guard !isOver else { return [] }
    switch event {
    case .begin, .serverIsDone: break
    case .sent(let flow):
      connections[flow].isSending = false
      connections[flow].heard = time
    case .received(let bytes, let flow):
      reads.append(bytes.count, at: time)
      connections[flow].missing -= bytes.count
      connections[flow].heard = time
      if isSuspected(bytes, on: flow) { return finish(.ipFlip) }
    case .closed(let flow):
      guard connections[flow].missing < TCPTransfer.tolerance else { return finish(.lost) }
      connections[flow].missing = min(0, connections[flow].missing)
      connections[flow].isClosed = true
    case .broken(let flow):
      // Nothing may be wanted of it any more.
      guard connections[flow].isIdle else { return finish(.lost) }
      connections[flow].isClosed = true
    case .timeIsOver:
      guard time < limit else { return finish(.limit) }
      let isSilent = connections.contains {
        $0.isWaiting && time >= $0.heard + TCPTransfer.silence
      }
      if isSilent { return finish(.lost) }
    }
    return proceed(at: time)
  }

  private mutating func isSuspected(_ bytes: ArraySlice<UInt8>, on flow: Int) -> Bool {
    let room = TCPTransfer.suspicion.count - connections[flow].beginning.count
    guard room > 0 else { return false }
    connections[flow].beginning += bytes.prefix(room)
    return connections[flow].beginning == TCPTransfer.suspicion
  }

  /// Sends what can go now.
  private mutating func proceed(at time: Double) -> [TransferAction] {
    var actions: [TransferAction] = []
    while next < requests.count {
      let (request, flow) = (requests[next], places[next])
      guard connections[flow].isIdle, !isTimed || request.time <= time else { return actions }
      guard !connections[flow].isClosed else { return actions + finish(.lost) }
      next += 1
      connections[flow].missing += request.answerLength
      connections[flow].heard = time
      guard !request.payload.isEmpty else { continue }
      connections[flow].isSending = true
      actions.append(.send(request.payload, on: flow, to: request.pair.server))
    }
    return connections.allSatisfy(\.isIdle) ? actions + finish(.complete) : actions
  }

  private mutating func finish(_ end: TransferEnd) -> [TransferAction] {
    isOver = true
    return [.finish(end)]
  }
}
