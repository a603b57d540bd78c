import LunaProtocol
import LunaTesting
import Testing

struct LocationRecordTests {
  @Test func everyValidRecordIsReadAsItWasWritten() throws {
    var random = Seeded(5)
    var valid = 0
    for _ in 0..<50_000 {
      var bytes = random.bytes(32)
      // Most random records fail at the first bytes: let them get further.
      bytes[0] = 1
      bytes[1] &= 7
      bytes[2] = 0
      bytes[3] &= 0x1F
      bytes[31] = 0
      if bytes[1] & 1 == 0 { bytes.replaceSubrange(18..<22, with: [0, 0, 0, 0]) }
      if bytes[1] & 2 == 0 { bytes.replaceSubrange(24..<26, with: [0, 0]) }
      guard let record = try? LocationRecord(decoding: bytes.span) else { continue }
      valid += 1
      #expect(array(record.encoded) == bytes)
    }
    #expect(valid > 1000)
  }

  @Test func unitsAreThoseOfTheLocation() throws {
    let location = ReportedLocation(
      collectedAt: 1_700_000_123_456, latitude: 52.2296756, longitude: 21.0122287, altitude: 113,
      horizontalAccuracy: 8.5, verticalAccuracy: 12, speed: 1.25, course: 359.99, rssi: -67,
      isSimulated: true)
    #expect(try LocationRecord(location).location == location)
    let bare = ReportedLocation(collectedAt: 0, latitude: -90, longitude: -180)
    #expect(try LocationRecord(bare).location == bare)
  }

  @Test func theDateLineIsOnOneSide() throws {
    for longitude in [180, 179.99999996] {
      let record = try LocationRecord(
        ReportedLocation(collectedAt: 0, latitude: 0, longitude: longitude))
      #expect(record.longitudeE7 == -1_800_000_000)
    }
  }

  @Test func valuesThatDoNotFitAreCappedOrRefused() throws {
    var location = ReportedLocation(collectedAt: 0, latitude: 0, longitude: 0)
    location.horizontalAccuracy = 1e300
    location.speed = .greatestFiniteMagnitude
    let record = try LocationRecord(location)
    #expect(record.horizontalAccuracyDecimetres == LocationRecord.orMore)
    #expect(record.speedCentimetresPerSecond == LocationRecord.orMore)
    location.altitude = 1e300
    #expect(throws: LocationRejection.altitude) { try LocationRecord(location) }
    location.collectedAt = .max
    #expect(throws: LocationRejection.time) { try LocationRecord(location) }
  }
}
