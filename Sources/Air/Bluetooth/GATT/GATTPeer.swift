/// Whom to connect to.
public struct GATTPeer: Hashable, Sendable {
  /// The address that it advertises from now.
  public let address: BluetoothAddress
  /// Public or random; it is part of the address.
  public let addressType: AddressType

  /// Whoever advertises from this address now; a resolvable one is not resolved.
  public init(_ address: BluetoothAddress, _ addressType: AddressType) {
    self.address = address
    self.addressType = addressType
  }
}

extension GATTPeer: CustomStringConvertible {
  /// The address, without its type: `C0:11:22:33:44:55`.
  public var description: String { address.description }
}
