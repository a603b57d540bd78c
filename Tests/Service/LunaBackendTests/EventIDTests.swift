import LunaCore
import LunaCrypto
import LunaProtocol
import Testing

@testable import LunaBackend

/// What tells events apart must never change: it is in every storage.
@Suite struct EventIDTests {
  @Test func isTheHashOfWhatAnEventIs() throws {
    let heid = HEID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    let event = TrackerEvent(
      heid: heid, encodedLocation: Array(0..<61), esf: ESF(value: 0xA77593),
      day: Day(number: 20500))
    var hash = try SHA256()
    // Each part behind its length in two bytes, in another implementation.
    #expect(
      EventID(event, using: &hash)
        == EventID(high: 0x63A0_7615_F069_0C1C, low: 0x6FED_E84D_F1FC_2345))
  }
}
