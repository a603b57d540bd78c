/// How often two connected devices meet (Core Specification, Vol 4, Part E, 7.8.18).
public struct ConnectionParameters: Hashable, Sendable {
  /// The shortest connection interval, in steps of 1.25 ms.
  public var minimumInterval: UInt16
  /// The longest connection interval, in steps of 1.25 ms.
  public var maximumInterval: UInt16
  /// The connection events that the peripheral may sleep through.
  public var latency: UInt16
  /// How long the other side may be silent before the link is lost, in steps of 10 ms.
  public var supervisionTimeout: UInt16

  /// Parameters in the steps of the specification.
  public init(
    minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16, supervisionTimeout: UInt16
  ) {
    self.minimumInterval = minimumInterval
    self.maximumInterval = maximumInterval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }

  /// What a short conversation wants: an interval of 15 to 30 ms, no latency, lost after 4 s.
  public static let quick = ConnectionParameters(
    minimumInterval: 12, maximumInterval: 24, latency: 0, supervisionTimeout: 400)

  /// Reads the four numbers, 2 bytes each, from `offset` on.
  ///
  /// - Returns: nil when the bytes end before.
  public init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard let minimumInterval = bytes.littleEndianWord(at: offset),
      let maximumInterval = bytes.littleEndianWord(at: offset + 2),
      let latency = bytes.littleEndianWord(at: offset + 4),
      let supervisionTimeout = bytes.littleEndianWord(at: offset + 6)
    else { return nil }
    self.init(
      minimumInterval: minimumInterval, maximumInterval: maximumInterval, latency: latency,
      supervisionTimeout: supervisionTimeout)
  }

  /// The four numbers, 2 bytes each, as packets carry them.
  public var octets: [UInt8] {
    minimumInterval.octets + maximumInterval.octets + latency.octets + supervisionTimeout.octets
  }

  /// Whether the specification allows them (Vol 4, Part E, 7.8.18): the time-out must be more than
  /// twice the longest time between two meetings.
  public var isValid: Bool {
    6...3200 ~= minimumInterval && 6...3200 ~= maximumInterval
      && minimumInterval <= maximumInterval && latency <= 499
      && 10...3200 ~= supervisionTimeout
      // 10 ms and 1.25 ms, in quarters of a millisecond, twice
      && Int(supervisionTimeout) * 40 > (1 + Int(latency)) * Int(maximumInterval) * 5 * 2
  }

  /// Whether a peer that asks for them gets them: they are valid, and an answer takes a second at
  /// most, so that what is under way stays quick.
  public var isAcceptable: Bool {
    isValid && (1 + Int(latency)) * Int(maximumInterval) * 5 <= 4000
  }
}
