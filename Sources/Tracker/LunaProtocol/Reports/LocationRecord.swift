/// A location as a report carries it, in the units of the wire (PROTOCOL.md, 9.1). Every value is
/// valid: it was encoded from a ``ReportedLocation``, or decoded from 32 bytes.
public struct LocationRecord: Hashable, Sendable {
  /// The number of bytes of an encoded record.
  public static let byteCount = 32
  /// What an accuracy or speed says that does not fit: that much, or more.
  public static let orMore: UInt16 = 0xFFFE
  static let largestTime: Int64 = 1 << 53 - 1
  static let unknown: UInt16 = 0xFFFF

  /// When the tracker was heard, Unix ms; 0 to 2^53 - 1.
  public let collectedAt: Int64
  /// North, in 1e-7 degree, -90 to 90 degrees.
  public let latitudeE7: Int32
  /// East, in 1e-7 degree, -180 to below 180 degrees.
  public let longitudeE7: Int32
  /// cm above the WGS84 ellipsoid.
  public let altitudeCentimetres: Int32?
  /// dm; ``orMore`` for 6553.4 m or more.
  public let horizontalAccuracyDecimetres: UInt16?
  /// dm; ``orMore`` for 6553.4 m or more.
  public let verticalAccuracyDecimetres: UInt16?
  /// cm/s; ``orMore`` for 655.34 m/s or more.
  public let speedCentimetresPerSecond: UInt16?
  /// 0.01 degree from north, below 36000.
  public let courseCentidegrees: UInt16?
  /// How strong the tracker was heard, dBm, -128 to 126.
  public let rssi: Int8?
  /// Whether the position comes from a simulated source.
  public let isSimulated: Bool

  /// The location, in the units of ``ReportedLocation``.
  public var location: ReportedLocation {
    ReportedLocation(
      collectedAt: collectedAt, latitude: Double(latitudeE7) / 1e7,
      longitude: Double(longitudeE7) / 1e7, altitude: altitudeCentimetres.map { Double($0) / 100 },
      horizontalAccuracy: horizontalAccuracyDecimetres.map { Double($0) / 10 },
      verticalAccuracy: verticalAccuracyDecimetres.map { Double($0) / 10 },
      speed: speedCentimetresPerSecond.map { Double($0) / 100 },
      course: courseCentidegrees.map { Double($0) / 100 }, rssi: rssi.map { Int($0) },
      isSimulated: isSimulated)
  }
}
