/// The event codes and LE subevents that Luna reads (Core Specification, Vol 4, Part E, 7.7).
public enum HCIEventCode {
  /// A link ended.
  public static let disconnectionComplete: UInt8 = 0x05
  /// A command was carried out.
  public static let commandComplete: UInt8 = 0x0E
  /// A command was taken or refused.
  public static let commandStatus: UInt8 = 0x0F
  /// The controller reports a fault of its hardware.
  public static let hardwareError: UInt8 = 0x10
  /// Packets were sent, so that there is room for others.
  public static let numberOfCompletedPackets: UInt8 = 0x13
  /// An LE event; the first parameter is the subevent.
  public static let leMeta: UInt8 = 0x3E
  /// Subevent: LE Connection Complete.
  public static let leConnectionComplete: UInt8 = 0x01
  /// Subevent: LE Advertising Report.
  public static let leAdvertisingReport: UInt8 = 0x02
  /// Subevent: LE Connection Update Complete.
  public static let leConnectionUpdateComplete: UInt8 = 0x03
  /// Subevent: LE Long Term Key Request.
  public static let leLongTermKeyRequest: UInt8 = 0x05
  /// Subevent: LE Remote Connection Parameter Request.
  public static let leRemoteConnectionParameterRequest: UInt8 = 0x06
  /// Subevent: LE Enhanced Connection Complete.
  public static let leEnhancedConnectionComplete: UInt8 = 0x0A
  /// Subevent: LE Extended Advertising Report.
  public static let leExtendedAdvertisingReport: UInt8 = 0x0D
  /// Subevent: LE Advertising Set Terminated.
  public static let leAdvertisingSetTerminated: UInt8 = 0x12
}
