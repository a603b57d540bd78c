/// The command opcodes that Luna sends: the group in the upper six bits, the command in the lower ten
/// (Core Specification, Vol 4, Part E, 5.4.1; each with its section there).
public enum HCIOpcode {
  /// No command: the controller only says how many it will take.
  public static let none: UInt16 = 0x0000
  /// Disconnect (7.1.6).
  public static let disconnect: UInt16 = 0x0406
  /// Set Event Mask (7.3.1).
  public static let setEventMask: UInt16 = 0x0C01
  /// Reset (7.3.2).
  public static let reset: UInt16 = 0x0C03
  /// Write LE Host Support (7.3.79).
  public static let writeLEHostSupport: UInt16 = 0x0C6D
  /// Read Local Version Information (7.4.1).
  public static let readLocalVersion: UInt16 = 0x1001
  /// Read Local Supported Commands (7.4.2).
  public static let readLocalCommands: UInt16 = 0x1002
  /// Read Local Supported Features (7.4.3).
  public static let readLocalFeatures: UInt16 = 0x1003
  /// Read Buffer Size (7.4.5).
  public static let readBufferSize: UInt16 = 0x1005
  /// Read BD_ADDR (7.4.6).
  public static let readAddress: UInt16 = 0x1009
  /// LE Set Event Mask (7.8.1).
  public static let leSetEventMask: UInt16 = 0x2001
  /// LE Read Buffer Size (7.8.2).
  public static let leReadBufferSize: UInt16 = 0x2002
  /// LE Read Local Supported Features (7.8.3).
  public static let leReadLocalFeatures: UInt16 = 0x2003
  /// LE Set Random Address (7.8.4).
  public static let leSetRandomAddress: UInt16 = 0x2005
  /// LE Set Advertising Parameters (7.8.5).
  public static let leSetAdvertisingParameters: UInt16 = 0x2006
  /// LE Set Advertising Data (7.8.7).
  public static let leSetAdvertisingData: UInt16 = 0x2008
  /// LE Set Scan Response Data (7.8.8).
  public static let leSetScanResponseData: UInt16 = 0x2009
  /// LE Set Advertising Enable (7.8.9).
  public static let leSetAdvertisingEnable: UInt16 = 0x200A
  /// LE Set Scan Parameters (7.8.10).
  public static let leSetScanParameters: UInt16 = 0x200B
  /// LE Set Scan Enable (7.8.11).
  public static let leSetScanEnable: UInt16 = 0x200C
  /// LE Create Connection (7.8.12).
  public static let leCreateConnection: UInt16 = 0x200D
  /// LE Create Connection Cancel (7.8.13).
  public static let leCreateConnectionCancel: UInt16 = 0x200E
  /// LE Connection Update (7.8.18).
  public static let leConnectionUpdate: UInt16 = 0x2013
  /// LE Long Term Key Request Negative Reply (7.8.26).
  public static let leLongTermKeyRequestNegativeReply: UInt16 = 0x201B
  /// LE Remote Connection Parameter Request Reply (7.8.31).
  public static let leRemoteConnectionParameterRequestReply: UInt16 = 0x2020
  /// LE Remote Connection Parameter Request Negative Reply (7.8.32).
  public static let leRemoteConnectionParameterRequestNegativeReply: UInt16 = 0x2021
  /// LE Set Advertising Set Random Address (7.8.52).
  public static let leSetAdvertisingSetRandomAddress: UInt16 = 0x2035
  /// LE Set Extended Advertising Parameters (7.8.53).
  public static let leSetExtendedAdvertisingParameters: UInt16 = 0x2036
  /// LE Set Extended Advertising Data (7.8.54).
  public static let leSetExtendedAdvertisingData: UInt16 = 0x2037
  /// LE Set Extended Scan Response Data (7.8.55).
  public static let leSetExtendedScanResponseData: UInt16 = 0x2038
  /// LE Set Extended Advertising Enable (7.8.56).
  public static let leSetExtendedAdvertisingEnable: UInt16 = 0x2039
  /// LE Read Number of Supported Advertising Sets (7.8.58).
  public static let leReadNumberOfAdvertisingSets: UInt16 = 0x203B
  /// LE Set Extended Scan Parameters (7.8.64).
  public static let leSetExtendedScanParameters: UInt16 = 0x2041
  /// LE Set Extended Scan Enable (7.8.65).
  public static let leSetExtendedScanEnable: UInt16 = 0x2042
  /// LE Extended Create Connection (7.8.66).
  public static let leExtendedCreateConnection: UInt16 = 0x2043

  /// Whether Command Status answers the command at once and other events tell how it goes on.
  public static func isAnsweredByStatus(_ opcode: UInt16) -> Bool {
    switch opcode {
    case disconnect, leCreateConnection, leExtendedCreateConnection, leConnectionUpdate: true
    default: false
    }
  }
}
