public import Bluetooth

/// A Pebblebee in Pebblebee's own network: the service 0xFA25, listed or with service data. In
/// Apple's and Google's networks it is one of ``AppleFindMy`` and ``GoogleFindHub``.
///
/// Source: github.com/seemoo-lab/AirGuard (PebbleBee). How the data are laid out is not published.
public struct Pebblebee: BeaconFrame {
  /// ``BeaconFamily/pebblebee``.
  public static var family: BeaconFamily { .pebblebee }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] { [.hex("data")] }

  /// The service.
  static let service: UInt16 = 0xFA25

  /// The service data; nil when there are none.
  public let data: AdvertisingPayload?

  /// Takes what follows the service UUID.
  init?(_ data: Span<UInt8>) {
    guard data.count > 0 else { return nil }
    self.data = AdvertisingPayload(copying: data, count: data.count)
  }

  /// A Pebblebee that only lists its service.
  init() { data = nil }

  /// `Pebblebee`.
  @inlinable public var title: String { "Pebblebee" }

  /// data.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    if let data { data.withBytes { writer.hex("data", $0) } }
  }
}
