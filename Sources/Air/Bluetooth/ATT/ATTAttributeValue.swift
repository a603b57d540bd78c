/// A handle and a value, as a Read By Type Response and other PDUs carry them
/// (Core Specification, Vol 3, Part F, 3.4.4.2).
public struct ATTAttributeValue: Hashable, Sendable {
  /// The handle of the attribute, from 1 on; 0 is none.
  public let handle: UInt16
  /// The value, or as much of it as fits.
  public let value: [UInt8]

  /// An attribute with this value.
  public init(handle: UInt16, value: [UInt8]) {
    self.handle = handle
    self.value = value
  }
}
