public import Diagnosis

/// The first rule of the accept test that a frame failed (PROTOCOL.md, 7).
public enum LunaFrameRejection: String, Diagnosed, CaseIterable, Sendable {
  /// A structure runs past the end, or a list of 16-bit services has an odd length.
  case malformed
  /// 0x1804 is in no service list.
  case noService
  /// There is no manufacturer data with a company identifier.
  case noManufacturerData
  /// No manufacturer data is of an allowed company.
  case foreignCompany
  /// The manufacturer data do not have the length of version 1.
  case badLength
  /// The version is not 1.
  case unsupportedVersion
  /// A reserved flag is set.
  case reservedBit
  /// The eid or the aotp is all zero.
  case zeroIdentifier

  /// Why it is no frame of a LunaTracker.
  public var diagnosis: Diagnosis { Diagnosis("this is no frame of a LunaTracker (\(rawValue))") }
}
