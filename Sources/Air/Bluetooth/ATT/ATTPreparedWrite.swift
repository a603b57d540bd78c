/// A part of a value that is to be written, of which the response gives an exact copy
/// (Core Specification, Vol 3, Part F, 3.4.6.1).
public struct ATTPreparedWrite: Hashable, Sendable {
  /// The handle of the attribute that is written, from 1 on.
  public let handle: UInt16
  /// Where in the value the part begins.
  public let offset: UInt16
  /// The octets from there on, as many as fit into one PDU.
  public let value: [UInt8]

  /// A part of a value.
  public init(handle: UInt16, offset: UInt16, value: [UInt8]) {
    self.handle = handle
    self.offset = offset
    self.value = value
  }
}
