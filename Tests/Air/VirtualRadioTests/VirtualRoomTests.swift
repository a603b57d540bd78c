import Beacons
import Bluetooth
import Testing
import VirtualRadio

@Suite("VirtualRoom")
struct VirtualRoomTests {
  static let start = Timestamp(microseconds: 1_767_225_600_000_000)

  /// What is heard in a room within `seconds`.
  private func reports(
    seed: UInt64 = 7, seconds: Int64, isActive: Bool = true, start: Timestamp = start
  ) -> [AdvertisingReport] {
    var room = VirtualRoom(seed: seed, start: start, isActive: isActive)
    var reports: [AdvertisingReport] = []
    while room.due < seconds * 1_000_000 { reports.append(room.next()) }
    return reports
  }

  @Test("The same seed and start give the same reports, another seed others")
  func deterministic() {
    let first = reports(seconds: 120)
    #expect(first.count > 1_000)
    #expect(reports(seconds: 120) == first)
    #expect(reports(seed: 8, seconds: 120) != first)
  }

  @Test("Another start moves the times and nothing else")
  func start() {
    let moved = reports(seconds: 60, start: Timestamp(microseconds: 5)).map { report in
      var report = report
      report.time = Timestamp(
        microseconds: report.time.microseconds - 5 + Self.start.microseconds)
      return report
    }
    #expect(moved == reports(seconds: 60))
  }

  @Test(
    "Reports come in the order of time, and no more than an adapter can take", arguments: 0..<20)
  func order(seed: UInt64) {
    let reports = reports(seed: seed, seconds: 60)
    for (earlier, later) in zip(reports, reports.dropFirst()) {
      #expect(earlier.time <= later.time)
    }
    #expect((500...3_000).contains(reports.count))
  }

  @Test("Within 20 seconds everything is heard that is promised", arguments: 0..<20)
  func cast(seed: UInt64) {
    var families: Set<BeaconFamily> = []
    var states: Set<String> = []
    var names: Set<String> = []
    var listsTxPower = false
    for report in reports(seed: seed, seconds: 20) {
      for beacon in BeaconDecoder().beacons(in: report) {
        families.insert(beacon.family)
        switch beacon {
        case .appleFindMy(let frame): states.insert(frame.isSeparated ? "separated" : "nearby")
        default: break
        }
      }
      report.payload.withBytes { bytes in
        var reader = ADStructureReader()
        while let structure = reader.next(in: bytes) {
          let data = bytes.extracting(structure.range)
          if structure.type == 0x09 {
            names.insert(String(decoding: data.indices.map { data[$0] }, as: UTF8.self))
          }
          if structure.type == 0x03, data[0] == 0x04, data[1] == 0x18 { listsTxPower = true }
        }
        #expect(!reader.malformed)
      }
    }
    #expect(
      families == [
        .appleFindMy, .tile, .smartTag, .googleFindHub, .dult, .eddystoneUID,
        .eddystoneURL, .eddystoneTLM, .altBeacon,
      ])
    #expect(states == ["separated", "nearby"])
    #expect(names == ["Thermometer", "Room display"])
    #expect(listsTxPower)
  }

  @Test("Legacy data fit into a PDU; the extended advertiser needs more")
  func sizes() {
    for report in reports(seconds: 30) {
      if report.pduType == .advExtInd {
        #expect(report.payload.count > 31)
        #expect(report.isLegacy == false)
        #expect(report.sid != nil)
        #expect(report.secondaryPHY != PHY.none)
      } else {
        #expect((1...31).contains(report.payload.count))
        #expect(report.isLegacy == true)
      }
      #expect(report.adapter == nil)
    }
  }

  @Test("A scan response follows its advertisement; passive scanning hears none")
  func scanResponses() {
    let active = reports(seconds: 30)
    let responses = active.indices.filter { active[$0].pduType == .scanRsp }
    #expect(responses.count > 20)
    for index in responses {
      let before = active[..<index].last { $0.address == active[index].address }
      #expect(before?.pduType == .advInd)
      let delay = active[index].time.microseconds - (before?.time.microseconds ?? 0)
      #expect((1...2_000).contains(delay))
    }
    #expect(!reports(seconds: 30, isActive: false).contains { $0.pduType == .scanRsp })
  }

  @Test("Addresses rotate, and are of the kind they claim to be")
  func addresses() {
    var phones: Set<BluetoothAddress> = []
    var tiles: Set<BluetoothAddress> = []
    var tileIdentifiers: Set<Octets<8>> = []
    for report in reports(seconds: 2 * 3600) {
      if report.addressType == .random {
        #expect([.static, .resolvable].contains(report.address.randomKind))
        if report.address.randomKind == .resolvable { phones.insert(report.address) }
      } else {
        #expect(report.addressType == .public)
      }
      for case .tile(let tile) in BeaconDecoder().beacons(in: report) {
        tiles.insert(report.address)
        if let identifier = tile.privateIdentifier { tileIdentifiers.insert(identifier) }
      }
    }
    // Every 15 minutes in two hours.
    #expect((8...9).contains(phones.count))
    #expect(tiles.count == 1)
    #expect((8...9).contains(tileIdentifiers.count))
  }

  @Test("Within the first minute somebody changes the address")
  func earlyRotation() {
    func addresses(_ reports: some Sequence<AdvertisingReport>) -> Set<BluetoothAddress> {
      Set(reports.map(\.address))
    }
    let reports = reports(seconds: 60)
    let limit = Self.start.microseconds + 25_000_000
    let early = addresses(reports.filter { $0.time.microseconds < limit })
    #expect(addresses(reports).count > early.count)
  }

  @Test("The power of an advertiser moves, but does not jump")
  func power() {
    var last: [BluetoothAddress: Int] = [:]
    var seen: [BluetoothAddress: Set<Int>] = [:]
    for report in reports(seconds: 300) {
      guard let rssi = report.rssi.map(Int.init) else {
        Issue.record("no RSSI")
        continue
      }
      #expect((-110 ... -30).contains(rssi))
      if let before = last[report.address] { #expect(abs(before - rssi) <= 5) }
      last[report.address] = rssi
      seen[report.address, default: []].insert(rssi)
    }
    for (address, powers) in seen { #expect(powers.count > 3, "\(address)") }
  }
}
