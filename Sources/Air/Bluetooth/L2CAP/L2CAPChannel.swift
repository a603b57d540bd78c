/// The fixed channels of an LE link (Core Specification, Vol 3, Part A, 2.1).
public enum L2CAPChannel {
  /// The Attribute Protocol (Vol 3, Part F).
  public static let attribute: UInt16 = 0x0004
  /// The signalling of LE links (Vol 3, Part A, 4).
  public static let signalling: UInt16 = 0x0005
  /// The Security Manager Protocol (Vol 3, Part H).
  public static let security: UInt16 = 0x0006
}
