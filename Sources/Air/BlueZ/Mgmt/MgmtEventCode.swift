/// The management events that Luna reads (BlueZ, doc/mgmt-protocol.rst).
enum MgmtEventCode {
  static let commandComplete: UInt16 = 0x0001
  static let commandStatus: UInt16 = 0x0002
  static let indexRemoved: UInt16 = 0x0005
  static let newSettings: UInt16 = 0x0006
  static let deviceFound: UInt16 = 0x0012
  static let discovering: UInt16 = 0x0013
  static let monitorRemoved: UInt16 = 0x002C
  static let monitorDeviceFound: UInt16 = 0x002F
}
