/// How the kernel says that a management command ended.
struct MgmtStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  static let success = MgmtStatus(rawValue: 0x00)
  static let unknownCommand = MgmtStatus(rawValue: 0x01)
  static let failed = MgmtStatus(rawValue: 0x03)
  static let busy = MgmtStatus(rawValue: 0x0A)
  static let rejected = MgmtStatus(rawValue: 0x0B)
  static let notSupported = MgmtStatus(rawValue: 0x0C)
  static let invalidParameters = MgmtStatus(rawValue: 0x0D)
  static let notPowered = MgmtStatus(rawValue: 0x0F)
  static let invalidIndex = MgmtStatus(rawValue: 0x11)
  static let blockedByRfkill = MgmtStatus(rawValue: 0x12)
  static let permissionDenied = MgmtStatus(rawValue: 0x14)

  private static let names = [
    "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed",
    "Authentication Failed", "Not Paired", "No Resources", "Timeout", "Already Connected", "Busy",
    "Rejected", "Not Supported", "Invalid Parameters", "Disconnected", "Not Powered", "Cancelled",
    "Invalid Index", "RFKilled", "Already Paired", "Permission Denied",
  ]
}

extension MgmtStatus: CustomStringConvertible {
  var description: String {
    Int(rawValue) < MgmtStatus.names.count
      ? MgmtStatus.names[Int(rawValue)] : "status \(rawValue)"
  }
}
