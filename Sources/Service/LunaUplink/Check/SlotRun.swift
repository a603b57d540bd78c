import Glibc
import UplinkProtocol

/// One slot, on a thread that may wait: a connection of its own, and its data (UPLINK.md, 4, 8.2).
struct SlotRun {
  /// How long connecting may take, and how long nothing may go.
  private static let patience = Duration.seconds(5)
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
  /// What is otherwise than usual.
  var change = SlotChange()
  /// After how long the data ends, with the next of it that arrives: what stays away for longer counts as well.
  var length = Duration.milliseconds(1_500)
  /// What is told of a slot that somebody ends, of which there is no record.
  var tally: SlotTally?

  /// Makes it.
  ///
  /// - Throws: ``ReplayError`` of kind `cancelled`; whatever else happens is a slot that failed.
  func run() throws(ReplayError) -> SlotRecord {
    guard let socket = try? place.connect(asking: name, change),
      try waiting.open(socket, until: ContinuousClock.now + SlotRun.patience)
    else { return failed(SlotCurve(), carried: 0) }
    let method = order.direction == .up ? "POST" : "GET"
    let length = order.direction == .up ? "Content-Length: \(order.bytes)\r\n" : ""
    let head =
      "\(method) /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: \(place.session.hostText)\r\n\(length)\r\n"
    guard socket.send(Array(head.utf8)), let before = socket.counters else {
      return failed(SlotCurve(), carried: 0)
    }
    var curve = SlotCurve()
    let isWhole: Bool
    do throws(ReplayError) {
      isWhole =
        try order.direction == .up ? send(socket, since: before, &curve) : receive(socket, &curve)
    } catch {
      let carried = dataOnLink(before, socket.counters ?? before, socket, curve)
      // What waits in this machine does not go any more.
      socket.abandon()
      tally?.add(max(curve.bytes, carried))
      throw error
    }
    let after = socket.counters ?? before
    let carried = dataOnLink(before, after, socket, curve)
    guard isWhole else {
      socket.abandon()
      return failed(curve, carried: carried)
    }
    let roundTrip = socket.leastRoundTrip ?? 0
    return SlotRecord(
      order.kind, curve.outcome(leastRoundTrip: roundTrip), bytes: curve.bytes,
      seconds: curve.seconds, fastest: curve.fastest(leastRoundTrip: roundTrip),
      curve: curve.rates, carried: carried,
      arrived: order.direction == .up ? arrived(before, after) : nil)
  }

  /// How many bytes of data the link carried between two looks. What comes again, or waits in the kernel while this
  /// process is held up, has come over the link as well.
  private func dataOnLink(
    _ before: FlowCounters, _ after: FlowCounters, _ socket: TLSSocket, _ curve: SlotCurve
  ) -> Int {
    order.direction == .up
      ? after.sent - before.sent
      : max(curve.bytes, after.received(since: before)) + arriving(socket, curve)
  }

  /// How many bytes the server may have of what was sent between two looks.
  private func arrived(_ before: FlowCounters, _ after: FlowCounters) -> ClosedRange<Int> {
    let acknowledged = after.acknowledged - before.acknowledged
    return acknowledged...max(acknowledged, after.handed - before.handed)
  }

  private func failed(_ curve: SlotCurve, carried: Int) -> SlotRecord {
    SlotRecord(
      order.kind, .failed, bytes: curve.bytes, seconds: curve.seconds,
      fastest: curve.fastest(leastRoundTrip: 0), carried: carried)
  }

  /// How many bytes still come of data that is broken off: what comes in a round trip. The kernel's is an average
  /// of those before, and lags behind where a queue on the way grows: twice of it is about right.
  private func arriving(_ socket: TLSSocket, _ curve: SlotCurve) -> Int {
    guard let roundTrip = socket.receivingRoundTrip, curve.seconds > 0 else { return 0 }
    let bytes = Double(curve.bytes) / curve.seconds * roundTrip * 2
    return Int(min(bytes, Double(max(0, order.bytes - curve.bytes))))
  }

  /// Sends until all is acknowledged, or time is over.
  ///
  /// - Returns: false where the connection broke off, or nothing went any more.
  private func send(
    _ socket: TLSSocket, since before: FlowCounters, _ curve: inout SlotCurve
  ) throws(ReplayError) -> Bool {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<SlotRun.chunk / 8).map { _ in generator.next() }
    let random = words.withUnsafeBytes { Array($0) }
    let began = ContinuousClock.now
    var (left, heard, next) = (order.bytes, began, began)
    while true {
      if !socket.isSending, left > 0 {
        let count = min(left, random.count)
        guard socket.send(Array(random[..<count])) else { return false }
        left -= count
      }
      let now = ContinuousClock.now
      if now >= next {
        next = now + SlotRun.tick
        let counters = socket.counters ?? before
        let gone = counters.delivered - before.delivered
        let isNews = gone > curve.bytes
        if isNews { heard = now }
        curve.add(gone, at: began.duration(to: now) / .seconds(1))
        // TLS adds something: what was given to it is acknowledged, too.
        let acknowledged = counters.acknowledged - before.acknowledged
        if left == 0, !socket.isSending, acknowledged >= order.bytes {
          try hear(socket)
          return true
        }
        if isNews, began.duration(to: now) >= length {
          // What waits in this machine must not run into the next slot.
          socket.abandon()
          return true
        }
      }
      guard heard.duration(to: now) < SlotRun.patience else { return false }
      // There is room for more.
      guard socket.isSending || left == 0 else { continue }
      try waiting.wait(for: socket, reads: false, until: next)
      guard socket.proceed() else { return false }
    }
  }

  /// Waits until the server has answered: so it has read and counted all of it.
  private func hear(_ socket: TLSSocket) throws(ReplayError) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let deadline = ContinuousClock.now + length
    while deadline > .now {
      guard case .nothing = socket.receive(buffer.count, into: &buffer) else { return }
      try waiting.wait(for: socket, reads: true, until: deadline)
      guard socket.proceed() else { return }
    }
  }

  /// Receives until all has come, or time is over.
  private func receive(_ socket: TLSSocket, _ curve: inout SlotCurve) throws(ReplayError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: SlotRun.chunk)
    let began = ContinuousClock.now
    var (total, heard) = (0, began)
    while total < order.bytes {
      switch socket.receive(buffer.count, into: &buffer) {
      case .bytes(let count):
        total += count
        heard = .now
        curve.add(total, at: began.duration(to: heard) / .seconds(1))
      case .nothing:
        // Not before all that waits is read: behind a packet that was lost, or while this process is held up, that is much.
        if began.duration(to: heard) >= length {
          socket.abandon()
          return true
        }
        guard heard.duration(to: .now) < SlotRun.patience else { return false }
        try waiting.wait(for: socket, reads: true, until: heard + SlotRun.patience)
        guard socket.proceed() else { return false }
      case .end, .failure: return false
      }
    }
    return true
  }
}
