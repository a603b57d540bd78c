/// Whom to connect to.
public struct GATTPeer: Hashable, Sendable {
  /// The address that it advertises from now.
  public let address: BluetoothAddress
  /// Public or random; it is part of the address.
  public let addressType: AddressType

  /// A peer.
  public init(_ address: BluetoothAddress, _ addressType: AddressType) {
    self.address = address
    self.addressType = addressType
  }
}

extension GATTPeer: CustomStringConvertible {
  /// The address.
  public var description: String { address.description }
}
