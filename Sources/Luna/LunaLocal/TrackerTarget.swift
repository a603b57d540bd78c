public import Bluetooth
public import LunaCore

/// Which tracker a person means, for something that is done nearby.
public enum TrackerTarget: Sendable {
  /// One of the owner's, whatever its address is.
  case device(Device)
  /// Whoever has this address.
  case address(BluetoothAddress)

  /// An address, or what names a device of the owner.
  ///
  /// - Parameter find: gives the device of the owner that a text names, as `LunaOwner` does.
  /// - Throws: what `find` throws, as when there is no such device, or several.
  public init(_ text: String, _ find: (String) async throws -> Device) async throws {
    if let address = BluetoothAddress(text) {
      self = .address(address)
    } else {
      self = .device(try await find(text))
    }
  }

  /// What messages call it.
  public var label: String {
    switch self {
    case .device(let device): device.name
    case .address(let address): address.description
    }
  }
}
