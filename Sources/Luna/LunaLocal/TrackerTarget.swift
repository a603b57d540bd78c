import Bluetooth
import LunaCore

/// Which tracker a person means, for something that is done nearby.
enum NearTarget: Sendable {
  /// One of the owner's, whatever its address is.
  case device(Device)
  /// Whoever has this address.
  case address(BluetoothAddress)

  /// An address, or what names a device of the owner.
  ///
  /// - Throws: `OwnerError` when there is no such device, or several.
  init(_ text: String, _ find: (String) async throws -> Device) async throws {
    if let address = BluetoothAddress(text) {
      self = .address(address)
    } else {
      self = .device(try await find(text))
    }
  }

  /// What messages call it.
  var label: String {
    switch self {
    case .device(let device): device.name
    case .address(let address): address.description
    }
  }
}
