import LunaCrypto
import LunaLocal
import LunaProtocol
import LunaTesting
import Testing

struct EIDIndexTests {
  @Test func everyEntryIsFoundAndNothingElse() {
    var index = EIDIndex()
    var generator = Seeded(1)
    let keys = (0..<10_000).map { _ in generator.next() }
    for (number, key) in keys.enumerated() {
      index.insert(EIDIndex.Entry(key: key, device: UInt32(number), period: 7))
    }
    #expect(index.count == keys.count)
    let isFound = keys.indices.allSatisfy { index.first(keys[$0])?.device == UInt32($0) }
    #expect(isFound)
    let strangers = (0..<10_000).count { _ in index.first(generator.next()) != nil }
    #expect(strangers == 0)
    #expect(index.byteCount < keys.count * 16 * 3)
  }

  @Test func aKeyMayStandForSeveralDevicesAndEntriesAreKeptOnce() {
    var index = EIDIndex()
    for device in 0..<3 {
      for _ in 0..<2 { index.insert(EIDIndex.Entry(key: 5, device: UInt32(device), period: 1)) }
    }
    var cursor = index.cursor(for: 5)
    var devices: [UInt32] = []
    while let entry = index.next(5, after: &cursor) { devices.append(entry.device) }
    #expect(devices.sorted() == [0, 1, 2])
    #expect(index.count == 3)
  }

  @Test func whatIsNotWantedAnyMoreIsDropped() {
    var index = EIDIndex()
    for number in 0..<1000 {
      index.insert(
        EIDIndex.Entry(key: UInt64(number) &* 77, device: 1, period: UInt32(number)))
    }
    let size = index.byteCount
    index.keep { $0.period >= 900 }
    #expect(index.count == 100)
    #expect(index.byteCount < size / 4)
    let old = index.first(77)
    let kept = index.first(950 * 77)
    #expect(old == nil && kept?.period == 950)
  }

  @Test func batchesGiveWhatTheScheduleGives() throws {
    let bytes = [UInt8](repeating: 3, count: 32)
    let key = SecretBytes(copying: bytes.span)
    var index = EIDIndex()
    let periods = PeriodRange(first: 100, last: 196)
    index.insert(
      (0..<3).map { EIDIndex.Batch(device: $0, identification: key, periods: periods) })
    #expect(index.count == 3 * 97)
    var schedule = try KeySchedule()
    let eid = schedule.eid(key, period: 150)
    #expect(index.first(eid.value)?.period == 150)
  }
}
