public import LunaJSON
public import LunaProtocol

/// A sealed sighting of a tracker, as a finder queues and uploads it (PROTOCOL.md, 9.3). It is made
/// once: sealing again for a retry would make another event.
public struct TrackerEvent: Hashable, Sendable {
  /// The version of the protocol that this build speaks.
  public static let currentVersion = 1

  /// The version of the protocol.
  public let protocolVersion: Int
  /// Under which it is stored.
  public let heid: HEID
  /// The sealed location, 61 bytes.
  public let encodedLocation: [UInt8]
  /// The status field of the frame, as heard.
  public let esf: ESF
  /// The date of the sighting.
  public let day: Day
  /// Clear fields for tests; nil outside of tests.
  public let debug: JSONObject?

  /// The event of a sealed report.
  public init(_ report: SealedReport, day: Day, debug: JSONObject? = nil) {
    self.init(
      heid: report.heid, encodedLocation: Array(report.encodedLocation), esf: report.esf, day: day,
      debug: debug)
  }

  /// An event from its parts.
  public init(
    protocolVersion: Int = currentVersion, heid: HEID, encodedLocation: [UInt8], esf: ESF,
    day: Day, debug: JSONObject? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.heid = heid
    self.encodedLocation = encodedLocation
    self.esf = esf
    self.day = day
    self.debug = debug
  }
}

extension Array where Element == UInt8 {
  fileprivate init(_ bytes: InlineArray<61, UInt8>) {
    self = []
    reserveCapacity(bytes.count)
    for index in bytes.indices { append(bytes[index]) }
  }
}
