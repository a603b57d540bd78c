import Beacons
import Bluetooth
import Testing

@testable import LunaWatch

@Suite struct LinkTableTests {
  @Test(arguments: BeaconFamily.allCases.filter(\.isTracker))
  func hasRowsForEveryTracker(_ family: BeaconFamily) {
    let rows = LinkTable.rows.filter { $0.family == family }
    #expect(!rows.isEmpty, "what does \(family) keep of its identity? Add it to LinkTable")
    #expect(Set(rows.map(\.state)).count == rows.count)
    #expect(Set(rows.map(\.identity)).count == 1)
  }

  @Test func knowsWhatKeepsItsName() {
    for family in [BeaconFamily.tile, .chipolo, .pebblebee] {
      #expect(!LinkTable.changes(family))
    }
    // Of what nothing links nothing lasts.
    for family in [BeaconFamily.appleFindMy, .googleFindHub, .dult, .smartTag, .luna, .iBeacon] {
      #expect(LinkTable.changes(family))
    }
  }

  @Test func hasNoRowForWhatIsNoTracker() {
    #expect(LinkTable.rows.allSatisfy { $0.family.isTracker })
  }

  /// What these call themselves goes on changing while they are away from their owner: the address alone is kept, so
  /// that whoever is followed can notice (PROTOCOL.md, 5; Find Hub Network Accessory Specification, "Unwanted tracking
  /// prevention").
  @Test(arguments: [BeaconFamily.luna, .googleFindHub])
  func aSeparatedTrackerIsToldApartByItsAddress(_ family: BeaconFamily) throws {
    func frame(_ identifier: UInt8, from address: UInt64) throws -> WatchFrame {
      var data: [UInt8] = [0x02, 0x01, 0x06]
      if family == .luna {
        data += [0x03, 0x03, 0x04, 0x18, 0x17, 0xFF, 0xFF, 0xFF, 0x14, identifier]
        data += [UInt8](repeating: identifier, count: 18)
      } else {
        data += [0x19, 0x16, 0xAA, 0xFE, 0x41]
        data += [UInt8](repeating: identifier, count: 21)
      }
      let report = AdvertisingReport(
        time: Timestamp(microseconds: 1), adapter: nil, address: BluetoothAddress(value: address),
        addressType: .random, payload: AdvertisingPayload(data), rssi: -60)
      let beacon = try #require(BeaconDecoder().beacons(in: report).first)
      return try #require(WatchFrame(beacon, in: report))
    }
    let before = try frame(1, from: 0xC0FF_EE00_0001)
    let after = try frame(2, from: 0xC0FF_EE00_0001)
    #expect(before.state == .separated && before.identifier == after.identifier)
    #expect("\(after.identifier)" == "\(family.rawValue):c0ffee000001")
    let other = try frame(2, from: 0xC0FF_EE00_0002)
    #expect(other.identifier != after.identifier)
  }

  /// The state of a SmartTag says how long an identifier lives (arXiv 2210.14702, 4).
  @Test(arguments: [
    (UInt8(1), WatchState.separated, 900), (2, .separated, 900), (3, .longSeparated, 86_400),
    (4, .nearOwner, 900), (5, .nearOwner, 900), (6, .nearOwner, 900), (7, .unknown, 900),
  ])
  func aSmartTagKeepsItsIdentifierADayOnceItIsAwayForOne(
    code: UInt8, state: WatchState, lifetime: Int
  ) throws {
    let data = [0x17, 0x16, 0x5A, 0xFD, 0x10 | code] + [UInt8](repeating: 9, count: 19)
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1), adapter: nil, address: BluetoothAddress(value: 1),
      addressType: .random, payload: AdvertisingPayload(data), rssi: -60)
    let beacon = try #require(BeaconDecoder().beacons(in: report).first)
    let frame = try #require(WatchFrame(beacon, in: report))
    #expect(frame.state == state)
    let row = try #require(
      LinkTable.rows.first { $0.family == .smartTag && $0.state == state })
    #expect(row.lifetime == lifetime)
    #expect(row.rule == .chain && row.identity == .payload)
  }

  @Test func namesIdentifiers() throws {
    let tile = WatchIdentifier(.tile, 0xC0FF_EE00_0001)
    #expect("\(tile)" == "tile:c0ffee000001")
    #expect(WatchIdentifier("tile:c0ffee000001") == tile)
    let tag = WatchIdentifier(.smartTag, 0x0102)
    #expect("\(tag)" == "smarttag:0000000000000102")
    for wrong in ["", "tile", "tile:", "tile:xyz", "nobody:12", "tile:1:2"] {
      #expect(WatchIdentifier(wrong) == nil)
    }
  }
}
