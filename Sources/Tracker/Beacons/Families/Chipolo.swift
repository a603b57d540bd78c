public import Bluetooth

/// A Chipolo in Chipolo's own network: the service 0xFE33 or 0xFE65 (both registered to the maker),
/// listed or with service data. In Apple's and Google's networks it is one of ``AppleFindMy`` and
/// ``GoogleFindHub``.
///
/// Layout: github.com/seemoo-lab/AirGuard (Chipolo). Only one bit is known: in the service data of
/// 0xFE33, bit 0 of the second byte says that the owner was away for more than 30 minutes, where the
/// first byte of the address, which stands for the firmware, is at most 0xD8.
public struct Chipolo: BeaconFrame {
  /// ``BeaconFamily/chipolo``.
  public static var family: BeaconFamily { .chipolo }

  /// What ``write(to:)`` can write.
  public static var fields: [BeaconField] { [.boolean("separated"), .hex("data")] }

  /// The service that carries the network's data.
  static let service: UInt16 = 0xFE33
  /// The maker's other service.
  static let secondService: UInt16 = 0xFE65

  /// Whether the owner was away for more than 30 minutes; nil where it does not tell.
  public let isSeparated: Bool?
  /// The service data; nil when there are none.
  public let data: AdvertisingPayload?

  /// Reads what follows the service UUID.
  init?(
    _ data: Span<UInt8>, service: UInt16, address: BluetoothAddress, addressType: AddressType
  ) {
    guard data.count > 0 else { return nil }
    self.data = AdvertisingPayload(copying: data, count: data.count)
    let tells =
      service == Chipolo.service && data.count >= 2 && addressType.hasAddress
      && address.value >> 40 <= 0xD8
    isSeparated = tells ? data[1] & 1 != 0 : nil
  }

  /// A Chipolo that only lists its service.
  init() {
    isSeparated = nil
    data = nil
  }

  /// With its state, when it is known.
  @inlinable public var title: String {
    isSeparated == true ? "Chipolo (separated)" : "Chipolo"
  }

  /// separated, data.
  @inlinable
  public func write(to writer: inout some BeaconFieldWriter) {
    if let isSeparated { writer.boolean("separated", isSeparated) }
    if let data { data.withBytes { writer.hex("data", $0) } }
  }
}
