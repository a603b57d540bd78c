import Bluetooth
import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

@testable import Beacons

/// The hash of the room's own against that of LunaCrypto, and against published values.
@Suite("Hashes")
struct HashTests {
  private func digest(_ message: [UInt8]) -> String {
    var hash = Beacons.SHA256()
    hash.update(message.span)
    let digest = hash.finalize()
    return Hex.lower(digest.span)
  }

  @Test(
    "SHA-256 of the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(message: String, expected: String) {
    #expect(digest(Array(message.utf8)) == expected)
  }

  @Test("SHA-256 of every length around the blocks is that of LunaCrypto")
  func lengths() throws {
    var random = Seeded(1)
    for count in 0...130 {
      let message = random.bytes(count)
      let expected = try LunaCrypto.SHA256.digest(of: message.span)
      #expect(digest(message) == Hex.lower(expected.span))
    }
  }

  @Test("A message may come in parts")
  func parts() {
    let message = (0..<100).map { UInt8($0) }
    var hash = Beacons.SHA256()
    for start in stride(from: 0, to: 100, by: 7) {
      hash.update(message.span.extracting(start..<min(start + 7, 100)))
    }
    let whole = hash.finalize()
    #expect(Hex.lower(whole.span) == digest(message))
  }

  @Test("HMAC-SHA256 with keys of up to a block is that of LunaCrypto")
  func codes() throws {
    var random = Seeded(2)
    for count in 0...64 {
      let (key, message) = (random.bytes(count), random.bytes(count + 3))
      var hmac = try LunaCrypto.HMACSHA256(key: key.span)
      let expected = hmac.code(for: message.span)
      let code = Beacons.HMACSHA256(key: key.span).code(for: message.span)
      #expect(Hex.lower(code.span) == Hex.lower(expected.span))
    }
  }

  @Test("The HEID of a frame is that of the protocol")
  func heids() throws {
    var random = Seeded(3)
    var reports = try ReportKeyDeriver()
    for _ in 0..<100 {
      let frame = LunaFrame(
        isConnectable: false, isOnboardable: false, isSeparated: false, keyRollingCounter: 0,
        eid: EID(value: random.next()), aotp: AOTP(value: random.next()), esf: ESF(value: 0))
      let bytes = frame.encoded
      let beacon = LunaBeacon(bytes.span, companies: [0xFFFF])
      let expected = reports.heid(eid: frame.eid, aotp: frame.aotp)
      #expect(beacon?.heid == expected)
    }
  }
}
