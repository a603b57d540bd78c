import Bluetooth

/// The bytes of one of the protocols of ``NonOwnerProtocol``.
protocol NonOwnerRules {
  /// The service that it is recognised by.
  static var service: BluetoothUUID { get }
  /// The characteristic through which everything goes.
  static var characteristic: BluetoothUUID { get }
  /// Whether the tracker answers; otherwise a sound is taken for granted when the write is confirmed.
  static var answers: Bool { get }

  /// A request by its opcode of ``DULTOpcode``; nil when there is none of the kind.
  static func request(_ opcode: UInt16) -> [UInt8]?

  /// What an indication says; nil when it makes no sense.
  static func message(_ bytes: [UInt8]) -> NonOwnerMessage?
}
