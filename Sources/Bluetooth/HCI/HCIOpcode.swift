/// The command opcodes that Luna sends (Core Specification, Vol 4, Part E, 7).
public enum HCIOpcode {
  /// No command: the controller only says how many it will take.
  public static let none: UInt16 = 0x0000
  /// Set Event Mask.
  public static let setEventMask: UInt16 = 0x0C01
  /// Reset.
  public static let reset: UInt16 = 0x0C03
  /// Write LE Host Support.
  public static let writeLEHostSupport: UInt16 = 0x0C6D
  /// Read Local Version Information.
  public static let readLocalVersion: UInt16 = 0x1001
  /// Read Local Supported Commands.
  public static let readLocalCommands: UInt16 = 0x1002
  /// Read Local Supported Features.
  public static let readLocalFeatures: UInt16 = 0x1003
  /// Read BD_ADDR.
  public static let readAddress: UInt16 = 0x1009
  /// LE Set Event Mask.
  public static let leSetEventMask: UInt16 = 0x2001
  /// LE Read Local Supported Features.
  public static let leReadLocalFeatures: UInt16 = 0x2003
  /// LE Set Random Address.
  public static let leSetRandomAddress: UInt16 = 0x2005
  /// LE Set Scan Parameters.
  public static let leSetScanParameters: UInt16 = 0x200B
  /// LE Set Scan Enable.
  public static let leSetScanEnable: UInt16 = 0x200C
  /// LE Set Extended Scan Parameters.
  public static let leSetExtendedScanParameters: UInt16 = 0x2041
  /// LE Set Extended Scan Enable.
  public static let leSetExtendedScanEnable: UInt16 = 0x2042
}
