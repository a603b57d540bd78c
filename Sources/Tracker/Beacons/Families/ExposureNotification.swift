/// Exposure Notification, the contact tracing of Apple and Google: service data of 0xFD6F.
///
/// Layout: "Exposure Notification Bluetooth Specification", Apple and Google, v1.2 (2020),
/// "Advertising Payload".
///
/// | Offset | Length | Field |
/// |---|---|---|
/// | 0 | 16 | rolling proximity identifier |
/// | 16 | 4 | associated encrypted metadata |
public struct ExposureNotification: BeaconFrame {
  /// ``BeaconFamily/exposureNotification``.
  public static var family: BeaconFamily { .exposureNotification }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] {
    [.hex("rollingProximityIdentifier"), .hex("metadata")]
  }

  /// The identifier, which changes every 10 to 20 minutes.
  public let rollingProximityIdentifier: Octets<16>
  /// Version and power, encrypted.
  public let metadata: Octets<4>

  /// Reads what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count >= 20 else { return nil }
    rollingProximityIdentifier = Octets(data, at: 0)
    metadata = Octets(data, at: 16)
  }

  /// `Exposure Notification`.
  @inlinable public var title: String { "Exposure Notification" }

  /// rollingProximityIdentifier, metadata.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    writer.hex("rollingProximityIdentifier", rollingProximityIdentifier)
    writer.hex("metadata", metadata)
  }
}
