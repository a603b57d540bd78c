import Bluetooth

/// What an advertiser of the room is like: everything about it that chance does not decide.
struct Blueprint: Sendable {
  /// What an advertiser knows when it makes up its data.
  struct Moment {
    /// Drawn anew whenever the identity changes.
    let identity: [UInt8]
    let address: BluetoothAddress
    /// Time since the room was opened, µs.
    let elapsed: Int64
    /// The advertisements it sent before.
    let count: Int
  }

  /// The PDU it sends.
  var pdu = PDUType.advInd
  var addressKind = AddressKind.static
  /// Between two advertisements, ms, without the random delay.
  var interval: Int64
  /// How long an identity lives, s; nil for ever.
  var rotation: Int64?
  /// When the first identity ends, s; nil when chance decides.
  var firstRotation: Int64?
  /// Whether the address changes with the identity.
  var rotatesAddress = true
  /// What it speaks with strangers who connect; nil when it takes no connections.
  var accessory: VirtualAccessory.Kind?
  /// Whether it advertises that it is away from its owner.
  var isSeparated = false
  /// The advertising data.
  var data: @Sendable (Moment) -> [UInt8]
  /// The scan response data; nil when there are none.
  var scanResponse: (@Sendable (Moment) -> [UInt8])?

  /// An AD structure.
  static func structure(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: data.count + 1), type] + data
  }

  /// Flags: LE general discoverable, no BR/EDR.
  static let flags = structure(0x01, [0x06])
}
