/// A handle and what belongs to it in a Find Information Response
/// (Core Specification, Vol 3, Part F, 3.4.3.2).
public struct ATTAttributeType: Hashable, Sendable {
  /// The handle of the attribute, from 1 on; 0 is none.
  public let handle: UInt16
  /// The type of the attribute.
  public let type: BluetoothUUID

  /// An attribute of this type.
  public init(handle: UInt16, type: BluetoothUUID) {
    self.handle = handle
    self.type = type
  }
}
