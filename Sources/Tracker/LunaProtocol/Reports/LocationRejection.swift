public import Diagnosis

/// The first field that keeps a location from being written or read (PROTOCOL.md, 9.1).
public enum LocationRejection: String, Diagnosed, CaseIterable, Sendable {
  /// Not 32 bytes.
  case length
  /// The version of the structure is not 1.
  case structVersion
  /// A reserved flag is set.
  case flags
  /// Before 1970, or above 2^53 - 1 ms.
  case time
  /// Not within -90 to 90 degrees.
  case latitude
  /// Not within -180 to 180 degrees.
  case longitude
  /// Too large, or present without its flag.
  case altitude
  /// Negative, or not a number.
  case horizontalAccuracy
  /// Negative, not a number, or not in accord with its flag.
  case verticalAccuracy
  /// Negative, or not a number.
  case speed
  /// Not within 0 to 360 degrees.
  case course
  /// Not within -128 to 126 dBm.
  case rssi
  /// The last byte is not zero.
  case reserved

  /// What of a location is out of its range.
  public var diagnosis: Diagnosis { Diagnosis("the location is not valid (\(rawValue))") }
}
