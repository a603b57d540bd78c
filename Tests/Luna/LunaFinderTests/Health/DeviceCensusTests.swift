import Beacons
import Bluetooth
import LunaCore
import LunaCrypto
import Testing

@testable import LunaFinder

@Suite("Who stays near a gateway")
struct DeviceCensusTests {
  private static let hour: Int64 = 3_600_000_000
  private static let noon = Timestamp(microseconds: 500_000 * hour)
  /// Service data of Tile.
  private static let tile: [UInt8] = [0x03, 0x03, 0xED, 0xFE, 0x05, 0x16, 0xED, 0xFE, 0x02, 0x00]
  /// A static address, a public one that looks like one that rotates, and one that does.
  private static let fixed: UInt64 = 0xC0FF_EE00_0001
  private static let rotating: UInt64 = 0x5AFF_EE00_0001

  private var census = DeviceCensus(decoder: BeaconDecoder())
  private let names: DeviceNames

  init() throws { names = DeviceNames(key: try SecureRandom.secret(count: DeviceNames.keyCount)) }

  private static func later(_ hours: Int64) -> Timestamp {
    Timestamp(microseconds: noon.microseconds + hours * hour)
  }

  private mutating func hear(
    _ address: UInt64 = fixed, _ type: AddressType = .random, _ bytes: [UInt8] = [],
    rssi: Int8? = -60, in hours: [Int64]
  ) {
    for hour in hours {
      let time = Self.later(hour)
      census.take(
        AdvertisingReport(
          time: time, adapter: 0, address: BluetoothAddress(value: address), addressType: type,
          payload: AdvertisingPayload(bytes), rssi: rssi), at: time)
    }
  }

  private func staying(at hours: Int64 = 0) throws -> [DeviceReport] {
    try census.staying(at: Self.later(hours), names)
  }

  @Test("Who was heard in three of the last 24 hours is told, who passes by is not")
  mutating func passersBy() throws {
    hear(in: [0, 1])
    #expect(try staying(at: 1).isEmpty)
    hear(in: [5])
    let told = try #require(try staying(at: 5).first)
    #expect(told.first == Self.noon && told.last == Self.later(5))
    #expect(told.hours.bits == 0b110001)
    #expect(told.family == "unknown" && told.band == .near)
    // A day later two of the three are too long ago.
    #expect(try staying(at: 24).isEmpty)
  }

  @Test("Addresses that rotate, also those that a controller resolved, are never told")
  mutating func rotating() throws {
    hear(Self.rotating, in: [0, 1, 2])
    hear(0x0AFF_EE00_0001, in: [0, 1, 2])
    for type in [AddressType.publicIdentity, .randomIdentity, .anonymous, .absent] {
      hear(Self.fixed, type, in: [0, 1, 2])
    }
    #expect(census.count == 0)
    hear(Self.rotating, .public, in: [0, 1, 2])
    #expect(try staying(at: 2).count == 1)
  }

  @Test("What was a tracker once is one, before and after")
  mutating func trackers() throws {
    hear(in: [0, 1, 2])
    #expect(try staying(at: 2).count == 1)
    hear(Self.fixed, .random, Self.tile, in: [3])
    hear(in: [4, 5])
    #expect(try staying(at: 5).isEmpty)
    // Nor does a clock that was wrong, or a day without it, make it another thing.
    hear(in: [1, 2, 3])
    hear(in: [40, 41, 42])
    #expect(try staying(at: 42).isEmpty)
  }

  @Test(
    "How near is a matter of signal strength",
    arguments: [
      (Int8(-50), DeviceBand.near), (-75, .mid), (-95, .far), (nil, .far),
    ] as [(Int8?, DeviceBand)])
  mutating func bands(rssi: Int8?, band: DeviceBand) throws {
    hear(rssi: rssi, in: [0, 1, 2])
    #expect(try staying(at: 2).map(\.band) == [band])
  }

  @Test("A clock that is set back makes hours that can be, or none")
  mutating func clocks() throws {
    hear(in: [10, 11, 12])
    #expect(try staying(at: 3).isEmpty)
    hear(in: [1, 2, 3])
    let told = try #require(try staying(at: 3).first)
    #expect(told.last == Self.later(3) && told.first == Self.later(1))
    census.take(
      AdvertisingReport(
        time: .unknown, adapter: 0, address: BluetoothAddress(value: 0xC0FF_EE00_0002),
        addressType: .random, payload: AdvertisingPayload([]), rssi: nil), at: .unknown)
    #expect(census.count == 1)
  }

  @Test("A flood of addresses drives out nobody who stays, and is forgotten in an hour")
  mutating func floods() throws {
    hear(in: [0, 1, 2])
    for number in 0..<UInt64(2 * DeviceCensus.limit) { hear(0xF000_0000_0000 + number, in: [2]) }
    #expect(census.count == DeviceCensus.limit)
    hear(0xC0FF_EE00_0099, in: [2])
    #expect(census.count == DeviceCensus.limit)
    hear(0xC0FF_EE00_0099, in: [3])
    #expect(census.count == 2)
    #expect(try staying(at: 3).count == 1)
  }

  @Test("No more than 256 are told: those heard in most hours")
  mutating func most() throws {
    for number in 0..<UInt64(300) { hear(0xC000_0000_0000 + number, in: [0, 1, 2]) }
    hear(in: [0, 1, 2, 3])
    let told = try staying(at: 3)
    #expect(told.count == DeviceReport.limit)
    #expect(told.first?.hours.count(at: Self.later(3)) == 4)
    #expect(Set(told.map(\.ref)).count == told.count)
  }

  @Test("Two gateways give names that share nothing, one the same each time")
  mutating func pseudonyms() throws {
    hear(in: [0, 1, 2])
    hear(Self.fixed, .public, in: [0, 1, 2])
    let other = DeviceNames(key: try SecureRandom.secret(count: DeviceNames.keyCount))
    let (mine, theirs) = (
      try staying(at: 2).map(\.ref), try census.staying(at: Self.later(2), other).map(\.ref)
    )
    #expect(Set(mine + theirs).count == 4)
    #expect(try staying(at: 2).map(\.ref) == mine)
    #expect(mine.allSatisfy(DeviceReport.isRef))
  }
}
