public import Diagnosis

/// Why advertising data are not an iBeacon frame of a tracker (PROTOCOL.md, 6), in the order of the
/// tests.
public enum IBeaconFrameRejection: String, Diagnosed, CaseIterable, Sendable {
  /// A structure runs past the end.
  case malformed
  /// No manufacturer data start as an iBeacon does.
  case notIBeacon
  /// The manufacturer data do not have 25 bytes, company identifier included.
  case badLength
  /// The UUID is none of the configured ones.
  case foreignRegion

  /// Why it is no iBeacon of a LunaTracker.
  public var diagnosis: Diagnosis { Diagnosis("this is no iBeacon of a LunaTracker (\(rawValue))") }
}
