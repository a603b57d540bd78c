import Glibc
import UplinkProtocol

/// One slot, on a thread that may wait: a connection of its own, and its data (UPLINK.md, 4, 8.2).
struct SlotRun {
  /// How long connecting may take, and how long nothing may go.
  private static let patience = Duration.seconds(5)
  /// How long the data may take.
  private static let length = Duration.milliseconds(1_500)
  /// How often it is looked what was acknowledged.
  private static let tick = Duration.milliseconds(5)
  /// What is handed over at once.
  private static let chunk = 64 << 10

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
    guard let socket = try? place.connect(asking: name),
      try waiting.open(socket, until: ContinuousClock.now + SlotRun.patience)
    else { return failed(SlotCurve()) }
    let method = order.direction == .up ? "POST" : "GET"
    let length = order.direction == .up ? "Content-Length: \(order.bytes)\r\n" : ""
    let head =
      "\(method) /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: \(place.session.host)\r\n\(length)\r\n"
    guard socket.send(Array(head.utf8)) else { return failed(SlotCurve()) }
    var curve = SlotCurve()
    let isWhole =
      try order.direction == .up ? send(socket, &curve) : receive(socket, &curve)
    guard isWhole else { return failed(curve) }
    return SlotRecord(
      order.kind, curve.outcome(leastRoundTrip: socket.leastRoundTrip ?? 0), bytes: curve.bytes,
      seconds: curve.seconds, fastest: curve.fastest)
  }

  private func failed(_ curve: SlotCurve) -> SlotRecord {
    SlotRecord(
      order.kind, .failed, bytes: curve.bytes, seconds: curve.seconds, fastest: curve.fastest)
  }

  /// Sends until all is acknowledged, or time is over.
  ///
  /// - Returns: false where the connection broke off, or nothing went any more.
  private func send(_ socket: TLSSocket, _ curve: inout SlotCurve) throws(ReplayError) -> Bool {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<SlotRun.chunk / 8).map { _ in generator.next() }
    let random = words.withUnsafeBytes { Array($0) }
    let (base, began) = (socket.acknowledged, ContinuousClock.now)
    var (left, heard, next) = (order.bytes, began, began)
    while began.duration(to: .now) < SlotRun.length {
      if !socket.isSending, left > 0 {
        let count = min(left, random.count)
        guard socket.send(Array(random[..<count])) else { return false }
        left -= count
      }
      let now = ContinuousClock.now
      if now >= next {
        next = now + SlotRun.tick
        let gone = socket.acknowledged - base
        if gone > curve.bytes { heard = now }
        curve.add(gone, at: began.duration(to: now) / .seconds(1))
        // TLS adds something: what was given to it is acknowledged, too.
        if left == 0, !socket.isSending, gone >= order.bytes { return true }
      }
      guard heard.duration(to: now) < SlotRun.patience else { return false }
      // There is room for more.
      guard socket.isSending || left == 0 else { continue }
      try waiting.wait(for: socket, reads: false, until: next)
      guard socket.proceed() else { return false }
    }
    return curve.bytes > 0
  }

  /// Receives until all has come, or time is over.
  private func receive(_ socket: TLSSocket, _ curve: inout SlotCurve) throws(ReplayError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: SlotRun.chunk)
    let began = ContinuousClock.now
    var total = 0
    while began.duration(to: .now) < SlotRun.length, total < order.bytes {
      switch socket.receive(buffer.count, into: &buffer) {
      case .bytes(let count):
        total += count
        curve.add(total, at: began.duration(to: .now) / .seconds(1))
      case .nothing:
        try waiting.wait(for: socket, reads: true, until: began + SlotRun.length)
        guard socket.proceed() else { return false }
      case .end, .failure: return false
      }
    }
    return total > 0
  }
}
