public import Bluetooth

/// How a person names an adapter. An adapter is followed by its address once it is found, since
/// its number can change when it is plugged in again.
public enum AdapterSelector: Hashable, Sendable {
  /// N of hciN.
  case index(UInt16)
  /// The adapter's public or static address.
  case address(BluetoothAddress)

  /// Reads `hci0` or an address.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    if text.hasPrefix("hci"), let index = UInt16(text.dropFirst(3)), index < 0xFFFF {
      self = .index(index)
    } else if let address = BluetoothAddress(text) {
      self = .address(address)
    } else {
      return nil
    }
  }
}

extension AdapterSelector: CustomStringConvertible {
  /// The text that `init` reads.
  public var description: String {
    switch self {
    case .index(let index): "hci\(index)"
    case .address(let address): address.description
    }
  }
}
