/// The command opcodes that Luna sends (Core Specification, Vol 4, Part E, 7).
public enum HCIOpcode {
  /// No command: the controller only says how many it will take.
  public static let none: UInt16 = 0x0000
  /// Disconnect.
  public static let disconnect: UInt16 = 0x0406
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
  /// Read Buffer Size.
  public static let readBufferSize: UInt16 = 0x1005
  /// Read BD_ADDR.
  public static let readAddress: UInt16 = 0x1009
  /// LE Set Event Mask.
  public static let leSetEventMask: UInt16 = 0x2001
  /// LE Read Buffer Size.
  public static let leReadBufferSize: UInt16 = 0x2002
  /// LE Read Local Supported Features.
  public static let leReadLocalFeatures: UInt16 = 0x2003
  /// LE Set Random Address.
  public static let leSetRandomAddress: UInt16 = 0x2005
  /// LE Set Advertising Parameters.
  public static let leSetAdvertisingParameters: UInt16 = 0x2006
  /// LE Set Advertising Data.
  public static let leSetAdvertisingData: UInt16 = 0x2008
  /// LE Set Scan Response Data.
  public static let leSetScanResponseData: UInt16 = 0x2009
  /// LE Set Advertising Enable.
  public static let leSetAdvertisingEnable: UInt16 = 0x200A
  /// LE Set Scan Parameters.
  public static let leSetScanParameters: UInt16 = 0x200B
  /// LE Set Scan Enable.
  public static let leSetScanEnable: UInt16 = 0x200C
  /// LE Create Connection.
  public static let leCreateConnection: UInt16 = 0x200D
  /// LE Create Connection Cancel.
  public static let leCreateConnectionCancel: UInt16 = 0x200E
  /// LE Connection Update.
  public static let leConnectionUpdate: UInt16 = 0x2013
  /// LE Long Term Key Request Negative Reply.
  public static let leLongTermKeyRequestNegativeReply: UInt16 = 0x201B
  /// LE Remote Connection Parameter Request Reply.
  public static let leRemoteConnectionParameterRequestReply: UInt16 = 0x2020
  /// LE Remote Connection Parameter Request Negative Reply.
  public static let leRemoteConnectionParameterRequestNegativeReply: UInt16 = 0x2021
  /// LE Set Advertising Set Random Address.
  public static let leSetAdvertisingSetRandomAddress: UInt16 = 0x2035
  /// LE Set Extended Advertising Parameters.
  public static let leSetExtendedAdvertisingParameters: UInt16 = 0x2036
  /// LE Set Extended Advertising Data.
  public static let leSetExtendedAdvertisingData: UInt16 = 0x2037
  /// LE Set Extended Scan Response Data.
  public static let leSetExtendedScanResponseData: UInt16 = 0x2038
  /// LE Set Extended Advertising Enable.
  public static let leSetExtendedAdvertisingEnable: UInt16 = 0x2039
  /// LE Read Number of Supported Advertising Sets.
  public static let leReadNumberOfAdvertisingSets: UInt16 = 0x203B
  /// LE Set Extended Scan Parameters.
  public static let leSetExtendedScanParameters: UInt16 = 0x2041
  /// LE Set Extended Scan Enable.
  public static let leSetExtendedScanEnable: UInt16 = 0x2042
  /// LE Extended Create Connection.
  public static let leExtendedCreateConnection: UInt16 = 0x2043

  /// Whether Command Status answers the command at once and other events tell how it goes on.
  public static func isAnsweredByStatus(_ opcode: UInt16) -> Bool {
    switch opcode {
    case disconnect, leCreateConnection, leExtendedCreateConnection, leConnectionUpdate: true
    default: false
    }
  }
}
