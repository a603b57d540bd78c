extension LocationRecord {
  /// Reads the 32 bytes of a record.
  ///
  /// - Throws: the first rule of PROTOCOL.md, 9.1 that failed.
  public init(decoding bytes: Span<UInt8>) throws(LocationRejection) {
    guard bytes.count == LocationRecord.byteCount else { throw .length }
    guard bytes[0] == 1 else { throw .structVersion }
    let flags = bytes[1]
    guard flags & 0b1111_1000 == 0 else { throw .flags }
    let time = bytes.bigEndian(at: 2, count: 8)
    guard time <= UInt64(LocationRecord.largestTime) else { throw .time }
    let latitude = bytes.int32(at: 10)
    guard -900_000_000...900_000_000 ~= latitude else { throw .latitude }
    let longitude = bytes.int32(at: 14)
    guard -1_800_000_000...1_799_999_999 ~= longitude else { throw .longitude }
    let altitude = bytes.int32(at: 18)
    let hasAltitude = flags & 1 != 0
    guard hasAltitude || altitude == 0 else { throw .altitude }
    let verticalAccuracy = bytes.uint16(at: 24)
    let hasVerticalAccuracy = flags & 2 != 0
    guard hasVerticalAccuracy ? verticalAccuracy != LocationRecord.unknown : verticalAccuracy == 0
    else { throw .verticalAccuracy }
    let course = bytes.uint16(at: 28)
    guard course < 36000 || course == LocationRecord.unknown else { throw .course }
    guard bytes[31] == 0 else { throw .reserved }
    let rssi = Int8(bitPattern: bytes[30])

    collectedAt = Int64(time)
    latitudeE7 = latitude
    longitudeE7 = longitude
    altitudeCentimetres = hasAltitude ? altitude : nil
    horizontalAccuracyDecimetres = LocationRecord.known(bytes.uint16(at: 22))
    verticalAccuracyDecimetres = hasVerticalAccuracy ? verticalAccuracy : nil
    speedCentimetresPerSecond = LocationRecord.known(bytes.uint16(at: 26))
    courseCentidegrees = LocationRecord.known(course)
    self.rssi = rssi == .max ? nil : rssi
    isSimulated = flags & 4 != 0
  }

  private static func known(_ value: UInt16) -> UInt16? { value == unknown ? nil : value }
}

extension Span<UInt8> {
  fileprivate func int32(at offset: Int) -> Int32 {
    Int32(bitPattern: UInt32(truncatingIfNeeded: bigEndian(at: offset, count: 4)))
  }

  fileprivate func uint16(at offset: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: bigEndian(at: offset, count: 2))
  }
}
