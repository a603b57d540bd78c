import Glibc
import UplinkProtocol

/// One slot of commands, on a thread that may wait: how long a request waits for its answer (UPLINK.md, 4).
struct CommandRun {
  /// How long connecting may take, and an answer.
  private static let patience = Duration.seconds(5)
  private static let headLimit = 8 << 10

  let place: HostPlace
  let order: SlotOrder
  let token: String
  /// The name that the server is asked for, which a network can see; nil for none.
  let name: String?
  let waiting: SocketWait

  /// Makes it.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`; whatever else happens is a slot that failed.
  func run() throws(ReplayError) -> SlotRecord {
    var (trips, bytes): ([Double], Int) = ([], 0)
    let began = ContinuousClock.now
    let isWhole = try exchange(&trips, &bytes)
    let seconds = began.duration(to: .now) / .seconds(1)
    let counted = trips.dropFirst(CommandSlot.requests.uncounted).sorted()
    guard isWhole, !counted.isEmpty else {
      return SlotRecord(order.kind, .failed, bytes: bytes, seconds: seconds, fastest: nil)
    }
    let middle = counted.count / 2
    let median =
      counted.count % 2 == 1 ? counted[middle] : (counted[middle - 1] + counted[middle]) / 2
    return SlotRecord(
      order.kind, .measured(max(median, 1e-9)), bytes: bytes, seconds: seconds, fastest: nil)
  }

  /// - Returns: false where the connection broke off, or an answer stayed away.
  private func exchange(_ trips: inout [Double], _ bytes: inout Int) throws(ReplayError) -> Bool {
    guard let socket = try? place.connect(asking: name),
      try waiting.open(socket, until: ContinuousClock.now + CommandRun.patience)
    else { return false }
    let head =
      "GET /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: \(place.session.host)\r\n"
      + "Connection: Upgrade\r\nUpgrade: \(CommandSlot.name)\r\n\r\n"
    guard socket.send(Array(head.utf8)), try readHead(socket) else { return false }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<CommandSlot.requests.all {
      let request = (0..<CommandSlot.request).map { _ in
        UInt8.random(in: 0 ... .max, using: &generator)
      }
      let began = ContinuousClock.now
      guard socket.send(request) else { return false }
      var missing = CommandSlot.answer
      while missing > 0 {
        guard let more = try receive(socket, missing, until: began + CommandRun.patience) else {
          return false
        }
        missing -= more.count
      }
      trips.append(began.duration(to: .now) / .seconds(1))
      bytes += CommandSlot.request + CommandSlot.answer
    }
    return true
  }

  /// Reads what comes before the first answer, which is asked for by nothing.
  private func readHead(_ socket: TLSSocket) throws(ReplayError) -> Bool {
    let deadline = ContinuousClock.now + CommandRun.patience
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard head.count < CommandRun.headLimit, let more = try receive(socket, 1, until: deadline)
      else { return false }
      head += more
    }
    return String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101 ")
  }

  /// At most so many bytes; nil at the end, and where time is over.
  private func receive(
    _ socket: TLSSocket, _ limit: Int, until deadline: ContinuousClock.Instant
  ) throws(ReplayError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    while true {
      switch socket.receive(limit, into: &buffer) {
      case .bytes(let count): return Array(buffer[..<count])
      case .nothing: break
      case .end, .failure: return nil
      }
      guard deadline > .now else { return nil }
      try waiting.wait(for: socket, reads: true, until: deadline)
      guard socket.proceed() else { return nil }
    }
  }
}
