import UplinkProtocol

/// What a relay has recorded so far.
struct RelayRecord {
  private(set) var traffic: RecordedTraffic
  /// Whether something went through that has no place in a recording.
  private(set) var isFull = false
  /// When the first connection was made.
  private var began: ContinuousClock.Instant?

  init(_ traffic: RecordedTraffic) { self.traffic = traffic }

  /// Adds a connection; nil when there are too many.
  mutating func connect(from port: UInt16) -> Int? {
    if began == nil { began = .now }
    let number = traffic.connect(from: port)
    if number == nil { isFull = true }
    return number
  }

  mutating func append(_ bytes: [UInt8], from side: RecordedTraffic.Side, on number: Int) {
    let seconds = began.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    // Microseconds are what Wehe's own recordings have.
    let time = (seconds * 1e6).rounded() / 1e6
    if !traffic.append(bytes, from: side, on: number, at: time) { isFull = true }
  }
}
