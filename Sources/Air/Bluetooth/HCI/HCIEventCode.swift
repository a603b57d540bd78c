/// The event codes and LE subevents that Luna reads (Core Specification, Vol 4, Part E, 7.7;
/// each with its section there).
public enum HCIEventCode {
  /// A link ended (7.7.5).
  public static let disconnectionComplete: UInt8 = 0x05
  /// A command was carried out (7.7.14).
  public static let commandComplete: UInt8 = 0x0E
  /// A command was taken or refused (7.7.15).
  public static let commandStatus: UInt8 = 0x0F
  /// The controller reports a fault of its hardware (7.7.16).
  public static let hardwareError: UInt8 = 0x10
  /// Packets were sent, so that there is room for others (7.7.19).
  public static let numberOfCompletedPackets: UInt8 = 0x13
  /// An LE event; the first parameter is the subevent (7.7.65).
  public static let leMeta: UInt8 = 0x3E
  /// Subevent: LE Connection Complete (7.7.65.1).
  public static let leConnectionComplete: UInt8 = 0x01
  /// Subevent: LE Advertising Report (7.7.65.2).
  public static let leAdvertisingReport: UInt8 = 0x02
  /// Subevent: LE Connection Update Complete (7.7.65.3).
  public static let leConnectionUpdateComplete: UInt8 = 0x03
  /// Subevent: LE Long Term Key Request (7.7.65.5).
  public static let leLongTermKeyRequest: UInt8 = 0x05
  /// Subevent: LE Remote Connection Parameter Request (7.7.65.6).
  public static let leRemoteConnectionParameterRequest: UInt8 = 0x06
  /// Subevent: LE Enhanced Connection Complete (7.7.65.10).
  public static let leEnhancedConnectionComplete: UInt8 = 0x0A
  /// Subevent: LE Extended Advertising Report (7.7.65.13).
  public static let leExtendedAdvertisingReport: UInt8 = 0x0D
  /// Subevent: LE Advertising Set Terminated (7.7.65.18).
  public static let leAdvertisingSetTerminated: UInt8 = 0x12
}
