extension LocationRecord {
  /// Rounds a location to the units of the wire.
  ///
  /// - Throws: the first field, in their order, that is out of its range or not a number.
  public init(_ location: ReportedLocation) throws(LocationRejection) {
    guard 0...LocationRecord.largestTime ~= location.collectedAt else { throw .time }
    guard -90...90 ~= location.latitude else { throw .latitude }
    guard -180...180 ~= location.longitude else { throw .longitude }
    collectedAt = location.collectedAt
    latitudeE7 = Int32((location.latitude * 1e7).rounded())
    let longitude = Int32((location.longitude * 1e7).rounded())
    longitudeE7 = longitude == 1_800_000_000 ? -1_800_000_000 : longitude
    if let altitude = location.altitude {
      // Int32(exactly:) refuses NaN, the infinities and what does not fit.
      guard let value = Int32(exactly: (altitude * 100).rounded()) else { throw .altitude }
      altitudeCentimetres = value
    } else {
      altitudeCentimetres = nil
    }
    horizontalAccuracyDecimetres = try LocationRecord.limited(
      location.horizontalAccuracy, times: 10, else: .horizontalAccuracy)
    verticalAccuracyDecimetres = try LocationRecord.limited(
      location.verticalAccuracy, times: 10, else: .verticalAccuracy)
    speedCentimetresPerSecond = try LocationRecord.limited(
      location.speed, times: 100, else: .speed)
    if let course = location.course {
      guard 0...360 ~= course else { throw .course }
      courseCentidegrees = UInt16((course * 100).rounded()) % 36000
    } else {
      courseCentidegrees = nil
    }
    if let rssi = location.rssi {
      guard -128...126 ~= rssi else { throw .rssi }
      self.rssi = Int8(rssi)
    } else {
      rssi = nil
    }
    isSimulated = location.isSimulated
  }

  /// The plaintext of a report, big-endian (PROTOCOL.md, 9.1).
  public var encoded: InlineArray<32, UInt8> {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    bytes[0] = 1
    bytes[1] =
      (altitudeCentimetres == nil ? 0 : 1) | (verticalAccuracyDecimetres == nil ? 0 : 2)
      | (isSimulated ? 4 : 0)
    var span = bytes.mutableSpan
    span.setBigEndian(UInt64(bitPattern: collectedAt), at: 2, count: 8)
    span.setBigEndian(UInt64(UInt32(bitPattern: latitudeE7)), at: 10, count: 4)
    span.setBigEndian(UInt64(UInt32(bitPattern: longitudeE7)), at: 14, count: 4)
    span.setBigEndian(UInt64(UInt32(bitPattern: altitudeCentimetres ?? 0)), at: 18, count: 4)
    span.setBigEndian(
      UInt64(horizontalAccuracyDecimetres ?? LocationRecord.unknown), at: 22, count: 2)
    span.setBigEndian(UInt64(verticalAccuracyDecimetres ?? 0), at: 24, count: 2)
    span.setBigEndian(
      UInt64(speedCentimetresPerSecond ?? LocationRecord.unknown), at: 26, count: 2)
    span.setBigEndian(UInt64(courseCentidegrees ?? LocationRecord.unknown), at: 28, count: 2)
    span[30] = UInt8(bitPattern: rssi ?? .max)
    return bytes
  }

  /// A number that is not negative, in the units of the wire, and at most ``orMore``.
  private static func limited(
    _ value: Double?, times factor: Double, else rejection: LocationRejection
  ) throws(LocationRejection) -> UInt16? {
    guard let value else { return nil }
    guard value >= 0, value.isFinite else { throw rejection }
    return UInt16(min((value * factor).rounded(), Double(orMore)))
  }
}
