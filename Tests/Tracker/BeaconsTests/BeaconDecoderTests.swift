import Beacons
import Bluetooth
import LunaProtocol
import Testing

@Suite("BeaconDecoder")
struct BeaconDecoderTests {
  private func families(_ hex: String) throws -> [BeaconFamily] {
    let bytes = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
    var beacons: [Beacon] = []
    BeaconDecoder().decode(bytes.span, into: &beacons)
    return beacons.map(\.family)
  }

  @Test("Names are unique, and lower case with hyphens")
  func names() {
    let names = BeaconFamily.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.allSatisfy { $0.isLowercase || $0 == "-" })
    }
  }

  @Test("Several beacons in one advertisement come in the order of the data, Luna last")
  func several() throws {
    let eddystone = "0d16aafe30e34549445f74657374"
    let iBeacon = "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010102c5"
    let luna = "0303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593"
    #expect(try families(eddystone + iBeacon) == [.eddystoneEID, .iBeacon])
    #expect(try families(iBeacon + eddystone) == [.iBeacon, .eddystoneEID])
    #expect(try families(luna + iBeacon + eddystone) == [.iBeacon, .eddystoneEID, .luna])
    #expect(try families(eddystone + eddystone) == [.eddystoneEID, .eddystoneEID])
  }

  @Test(
    "Near misses",
    arguments: [
      // nothing at all, zeros, flags alone
      "", "00", "0000000000", "020106",
      // 0x1804 without manufacturer data, and with data of another service
      "02010603030418", "0201060303041804160418aa", "0201060303041804160418aa0201060303041802ffff",
      // iBeacon: another type, another length, another company
      "1aff4c000315e2c56db5dffb48d2b060d0f5a71096e000010102c5",
      "1aff4c000214e2c56db5dffb48d2b060d0f5a71096e000010102c5",
      "1aff4d000215e2c56db5dffb48d2b060d0f5a71096e000010102c5",
      // Eddystone: unknown frame types and TLM versions, an unknown URL scheme, empty
      "1516aafe01e3123456789012346789010000000000 01",
      "1516aafe50e312345678901234678901000000000001",
      "1116aafe20020b1813000000146700002ac4", "0716aafe10f80461", "0316aafe", "0416aafe00",
      // Find My: a length that is neither form, a message that runs past its end
      "0aff4c001204100000 0000 00", "08ff4c001219100000 00",
      "07ff4c0012031000 01",
      // other continuity messages
      "0aff4c00100501183926 2c", "02ff4c", "03ff4c00",
      // service data of 32-bit and 128-bit UUIDs
      "0920aafe000030e34549",
    ])
  func nearMisses(hex: String) throws {
    #expect(try families(hex) == [])
  }

  @Test("A maker's service that is listed counts once, with or without service data")
  func listedServices() throws {
    #expect(try families("0303edfe") == [.tile])
    #expect(try families("0302ecfe") == [.tile])
    #expect(try families("0302ecfe 0416ecfe01") == [.tile])
    #expect(try families("0416ecfe01 0302ecfe") == [.tile])
    #expect(try families("0702 0f18 33fe 0a18") == [.chipolo])
    #expect(try families("030265fe") == [.chipolo])
    #expect(try families("030325fa 0316 25fa") == [.pebblebee])
    #expect(try families("0403 edfe 33") == [.tile])
    // a UUID that straddles two entries is none
    #expect(try families("0503 00ed fe00") == [])
  }

  @Test("Regions and companies are those of the configuration")
  func configuration() throws {
    let uuid = try #require(BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let decoder = BeaconDecoder(
      regions: IBeaconFrame.defaultRegions + [uuid], companies: [0x1234])
    let iBeacon = try #require(beaconExamples.first { $0.family == .iBeacon })
    var beacons: [Beacon] = []
    decoder.decode(iBeacon.bytes.span, into: &beacons)
    guard case .iBeacon(let frame)? = beacons.first else {
      Issue.record("no iBeacon")
      return
    }
    #expect(frame.region == 3)

    let luna = try #require(trackerExamples.first { $0.family == .luna })
    beacons.removeAll()
    decoder.decode(luna.bytes.span, into: &beacons)
    #expect(beacons == [])
    var bytes = luna.bytes
    bytes[9] = 0x34
    bytes[10] = 0x12
    decoder.decode(bytes.span, into: &beacons)
    #expect(beacons.map(\.family) == [.luna])
  }

  @Test("The key of a Find My tag is put together from address and data only for random addresses")
  func publicKey() throws {
    let example = try #require(trackerExamples.first { $0.family == .appleFindMy })
    for (type, known) in [
      (AddressType.random, true), (.public, false), (.randomIdentity, false), (.absent, false),
      (.anonymous, false),
    ] {
      var beacons: [Beacon] = []
      BeaconDecoder().decode(
        example.bytes.span, address: example.address, addressType: type, into: &beacons)
      guard case .appleFindMy(let frame)? = beacons.first else {
        Issue.record("no Find My frame")
        return
      }
      #expect((frame.publicKey != nil) == known)
    }
  }

  @Test("Decoding a report gives what decoding its data gives")
  func reports() {
    for example in allExamples {
      let report = AdvertisingReport(
        time: Timestamp(microseconds: 0), adapter: nil, address: example.address,
        addressType: example.addressType, payload: AdvertisingPayload(example.bytes), rssi: nil)
      #expect(BeaconDecoder().beacons(in: report) == example.decoded(example.bytes))
    }
  }
}
