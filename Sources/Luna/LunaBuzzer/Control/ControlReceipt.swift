public import LunaProtocol

/// What a tracker answered to a package.
public struct ControlReceipt: Hashable, Sendable {
  /// What it answered to.
  public let package: ControlPackage
  /// What it indicated, as it came.
  public let bytes: [UInt8]
  /// The same, proven to come from the tracker; nil for who does not hold the keys.
  public let verified: Receipt?
  /// When the package was sent, the owner's Unix ms.
  public let sent: Int64
  /// When the answer came, the owner's Unix ms.
  public let answered: Int64

  /// The status that it names, proven or not; nil when that is not known.
  public var status: ControlStatus? { bytes.first.flatMap { ControlStatus(rawValue: $0) } }

  /// An answer of these parts.
  public init(
    package: ControlPackage, bytes: [UInt8], verified: Receipt?, sent: Int64, answered: Int64
  ) {
    self.package = package
    self.bytes = bytes
    self.verified = verified
    self.sent = sent
    self.answered = answered
  }

  /// What a verified answer on a challenge tells of the tracker's clock (PROTOCOL.md, 11.2); nil for
  /// others. A deferred package has no freshness: its receipt may be an old one, sent again.
  public var clock: ClockInterval? {
    guard let verified, verified.status == .done, package.format == .interactive else { return nil }
    switch package.command {
    case .setClock:
      return ClockInterval(clockSet: package.counter, sent: sent, answered: answered)
    case .factoryReset: return nil
    default: return ClockInterval(clockRead: verified.clock, sent: sent, answered: answered)
    }
  }
}
