import UplinkProtocol

/// Uploads that go at once, on a thread that may wait. While they go it is read what each of them lost
/// (UPLINK.md, 9).
struct SlotBundle {
  /// One of them.
  struct Upload {
    let place: HostPlace
    let token: String
    /// The name that the server is asked for, which a network can see; nil for none.
    let name: String?
    let bytes: Int

    /// What is said before the data.
    fileprivate var head: [UInt8] {
      Array(
        ("POST /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: \(place.session.hostText)\r\n"
          + "Content-Length: \(bytes)\r\n\r\n").utf8)
    }
  }

  /// How long connecting may take.
  private static let patience = Duration.seconds(5)
  /// How long the data may take.
  private static let length = Duration.milliseconds(1_500)
  /// What is handed over at once.
  private static let chunk = 64 << 10

  let uploads: [Upload]
  let waiting: SocketWait
  /// What is told how much went, whatever came of it.
  let tally: SlotTally

  /// Makes them. They end together, when one of them is complete or time is over: the others would be faster then.
  ///
  /// - Returns: no flows where one of them failed.
  /// - Throws: ``ReplayError`` of kind `cancelled`.
  func run() throws(ReplayError) -> FlowGroup {
    let deadline = ContinuousClock.now + SlotBundle.patience
    var sockets: [TLSSocket] = []
    for upload in uploads {
      guard let socket = try? upload.place.connect(asking: upload.name),
        try waiting.open(socket, until: deadline)
      else { return FlowGroup([]) }
      sockets.append(socket)
    }
    let before = sockets.map { $0.counters?.sent ?? 0 }
    defer {
      for (socket, before) in zip(sockets, before) {
        tally.add(max(0, (socket.counters?.sent ?? before) - before))
        // What waits in this machine must not run into the next ones.
        socket.abandon()
      }
    }
    for (socket, upload) in zip(sockets, uploads) {
      guard socket.send(upload.head) else { return FlowGroup([]) }
    }
    return FlowGroup(try send(over: sockets) ?? [])
  }

  /// - Returns: nil where a connection broke off.
  private func send(over sockets: [TLSSocket]) throws(ReplayError) -> [FlowTrace]? {
    let random = SlotBundle.random()
    var traces = [FlowTrace](repeating: FlowTrace(), count: sockets.count)
    var left = uploads.map(\.bytes)
    let began = ContinuousClock.now
    look(at: sockets, &traces, time: 0)
    var next = began
    while began.duration(to: .now) < SlotBundle.length {
      for index in sockets.indices where !sockets[index].isSending && left[index] > 0 {
        let count = min(left[index], random.count)
        guard sockets[index].send(Array(random[..<count])) else { return nil }
        left[index] -= count
      }
      let now = ContinuousClock.now
      if now >= next {
        next = now + .seconds(LossTick.seconds)
        look(at: sockets, &traces, time: began.duration(to: now) / .seconds(1))
        // TLS adds something: what was given to it is acknowledged, too.
        let isComplete = sockets.indices.contains { index in
          left[index] == 0 && !sockets[index].isSending
            && traces[index].curve.bytes >= uploads[index].bytes
        }
        if isComplete { return traces }
      }
      let hasRoom = sockets.indices.contains { !sockets[$0].isSending && left[$0] > 0 }
      guard !hasRoom else { continue }
      try waiting.wait(for: sockets, reads: false, until: next)
      for socket in sockets { guard socket.proceed() else { return nil } }
    }
    return traces
  }

  private func look(at sockets: [TLSSocket], _ traces: inout [FlowTrace], time: Double) {
    for (index, socket) in sockets.enumerated() {
      if let counters = socket.counters { traces[index].look(counters, at: time) }
    }
  }

  private static func random() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<chunk / 8).map { _ in generator.next() }
    return words.withUnsafeBytes { Array($0) }
  }
}
