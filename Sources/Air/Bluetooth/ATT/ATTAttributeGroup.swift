/// A group of attributes, such as a service, in a Read By Group Type Response
/// (Core Specification, Vol 3, Part F, 3.4.4.10).
public struct ATTAttributeGroup: Hashable, Sendable {
  /// The handles of the group.
  public let handles: ATTHandleRange
  /// The value of the first attribute.
  public let value: [UInt8]

  /// A group with this value.
  public init(handles: ATTHandleRange, value: [UInt8]) {
    self.handles = handles
    self.value = value
  }
}
