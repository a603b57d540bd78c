import Bluetooth
import LunaFrames
import LunaTesting
import Testing

/// Bytes from the air: any of them, and those that are nearly a frame.
struct FrameRobustnessTests {
  private func array<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> [UInt8] {
    bytes.indices.map { bytes[$0] }
  }

  private func isDecoded(_ bytes: [UInt8]) -> Bool {
    // A part of a frame proves little, and need only be survived.
    _ = try? LunaFrame(companyIdentifier: 0xFFFF, manufacturerData: bytes.span)
    _ = try? IBeaconFrame(manufacturerData: bytes.span)
    return (try? LunaFrame(advertisingData: bytes.span)) != nil
      || (try? IBeaconFrame(advertisingData: bytes.span)) != nil
  }

  @Test func randomBytesAreNoFrame() {
    var random = Seeded(1)
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0..<64, using: &random))
      #expect(!isDecoded(bytes))
    }
  }

  @Test func alteredFramesDecodeOrAreRefused() {
    var random = Seeded(2)
    let frames = [
      array(LunaFrameTests.anchor.encoded), Hex.bytes(IBeaconFrameTests.anchor) ?? [],
    ]
    var decoded = 0
    for round in 0..<20_000 {
      var bytes = frames[round % 2]
      for _ in 0..<Int.random(in: 1..<4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<3, using: &random))
      bytes += random.bytes(Int.random(in: 0..<3, using: &random))
      if isDecoded(bytes) { decoded += 1 }
    }
    #expect(decoded > 500 && decoded < 19_000)
  }

  @Test func whatIsEncodedDecodes() throws {
    var random = Seeded(3)
    for _ in 0..<2000 {
      let frame = LunaFrame(
        companyIdentifier: UInt16.random(in: 0...UInt16.max, using: &random),
        isConnectable: Bool.random(using: &random), isOnboardable: Bool.random(using: &random),
        isSeparated: Bool.random(using: &random),
        keyRollingCounter: UInt8.random(in: 0...255, using: &random),
        eid: EID(value: UInt64.random(in: 1...UInt64.max, using: &random)),
        aotp: AOTP(value: UInt64.random(in: 1..<1 << 56, using: &random)),
        esf: ESF(value: UInt32.random(in: 0..<1 << 24, using: &random)))
      let bytes = array(frame.encoded)
      #expect(
        try LunaFrame(advertisingData: bytes.span, companies: [frame.companyIdentifier]) == frame)
      let beacon = IBeaconFrame(
        region: .bit128(high: random.next(), low: random.next()),
        heidPrefix: UInt32.random(in: 0...UInt32.max, using: &random),
        measuredPower: Int8.random(in: -128...127, using: &random))
      let beaconBytes = array(beacon.encoded)
      #expect(
        try IBeaconFrame(advertisingData: beaconBytes.span, regions: [beacon.region]) == beacon)
    }
  }

  @Test func aLongPDUIsRead() throws {
    let name = [UInt8(201), 0x09] + [UInt8](repeating: 0x41, count: 200)
    let bytes = name + array(LunaFrameTests.anchor.encoded)
    #expect(try LunaFrame(advertisingData: bytes.span) == LunaFrameTests.anchor)
  }
}
