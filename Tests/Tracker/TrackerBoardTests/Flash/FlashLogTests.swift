import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@testable import TrackerBoard

@Suite("FlashLog")
struct FlashLogTests {
  private static let slots = 100
  private static let masterKey = (0..<32).map { UInt8($0) }

  private func record(_ number: UInt32) -> TrackerRecord {
    var record = TrackerSamples.keyed()
    record.storedPeriod = number
    record.lastCounter = number &* 3
    record.ownerMetAt = Int64(number) - 7
    record.isClockUncertain = number % 2 == 1
    record.failures = UInt8(number % 5)
    return record
  }

  /// A flash with so many records, numbered from 0.
  private func flash(with count: UInt32) throws -> SimulatedFlash {
    let flash = SimulatedFlash()
    var log = try FlashLog(flash)
    for number in 0..<count { try log.store(record(number)) }
    return flash
  }

  @Test("A place is laid out as it is described; CRC-32 is that of IEEE 802.3")
  func layout() throws {
    let check = Array("123456789".utf8)
    #expect(CRC32.checksum(of: check.span) == 0xCBF4_3926)
    // What scripts/firmware/provision writes, too.
    let code: [UInt8] = (0..<16).map { $0 * 0x11 }
    let head: [UInt8] = [0xCC, 0x2A, 0x11, 0xC7, 0, 0, 0, 1, 19, 1, 0, 0]
    let rest = [UInt8](repeating: 0xFF, count: 128 - head.count - code.count)
    #expect(FlashSlot.encoded(TrackerSamples.factory(), sequence: 1) == head + code + rest)
  }

  @Test("What is stored is found again, keyed and in factory state, over several pages")
  func roundTrip() throws {
    let flash = SimulatedFlash()
    var log = try FlashLog(flash)
    #expect(log.record == nil)
    try log.store(TrackerSamples.factory())
    #expect(try FlashLog(flash).record == TrackerSamples.factory())
    for number in 0..<UInt32(3 * Self.slots) {
      try log.store(record(number))
      guard number % 37 == 0 else { continue }
      let found = try FlashLog(flash)
      #expect(found.record == record(number))
      #expect(found.sequence == log.sequence)
    }
  }

  @Test(
    "A cut at every byte of a write leaves the old record or the new one, and the next is taken",
    // In the middle of a page; as its last; as the first of the next, with the erase before it.
    arguments: [1, 50, 99, 100, 200])
  func tornWrite(count: UInt32) throws {
    let before = try flash(with: count)
    let old = record(count - 1)
    let new = record(1_000_000)
    var news = 0
    for cut in 0...150 {
      let flash = before.copy
      var log = try FlashLog(flash)
      flash.stepsLeft = cut
      let isStored = (try? log.store(new)) != nil
      flash.stepsLeft = nil
      var found = try FlashLog(flash)
      #expect(found.record == old || found.record == new, "cut at \(cut)")
      if isStored { #expect(found.record == new) }
      if found.record == new { news += 1 }
      try found.store(record(5))
      #expect(try FlashLog(flash).record == record(5))
    }
    #expect(news > 0 && news < 150)
  }

  @Test("A cut at every step of a return to factory state leaves the owner, or nothing of the key")
  func tornReset() throws {
    for count in [UInt32(1), 60, 100, 130] {
      let before = try flash(with: count)
      for cut in 0...160 {
        let flash = before.copy
        var log = try FlashLog(flash)
        flash.stepsLeft = cut
        let isStored = (try? log.store(TrackerSamples.factory())) != nil
        flash.stepsLeft = nil
        let found = try FlashLog(flash)
        if isStored { #expect(found.record == TrackerSamples.factory()) }
        if found.record == TrackerSamples.factory() {
          #expect(!flash.contains(Self.masterKey), "\(count) records, cut at \(cut)")
        } else {
          #expect(found.record == record(count - 1))
        }
      }
    }
  }

  @Test("In a year with 20 commands a day a page is erased once in 200 writes at most")
  func wear() throws {
    let flash = SimulatedFlash()
    var log = try FlashLog(flash)
    let count = UInt32(365 * (86_400 / 4096 + 20))
    for number in 0..<count { try log.store(record(number)) }
    #expect(flash.writes == Int(count))
    for erases in flash.erases { #expect(erases <= Int(count) / (2 * Self.slots) + 1) }
  }

  @Test("Flash full of garbage has no record, and takes one", arguments: [1, 2, 3, 4, 5, 6])
  func garbage(seed: UInt64) throws {
    var generator = Seeded(seed)
    let flash = SimulatedFlash()
    for page in 0..<2 { flash.bytes[page] = generator.bytes(flash.pageSize) }
    var log = try FlashLog(flash)
    #expect(log.record == nil)
    try log.store(record(1))
    try log.store(record(2))
    #expect(try FlashLog(flash).record == record(2))
  }

  @Test("With any byte of the newest record wrong the one before it is found")
  func damage() throws {
    let before = try flash(with: 3)
    for index in 0..<96 {
      let flash = before.copy
      flash.bytes[0][2 * FlashSlot.byteCount + index] ^= 1 << UInt8(index % 8)
      var log = try FlashLog(flash)
      #expect(log.record == record(1), "byte \(index)")
      try log.store(record(9))
      #expect(try FlashLog(flash).record == record(9))
    }
  }

  @Test("Places that wear out are passed over; when all of a page do, the newest record stays")
  func worn() throws {
    let flash = SimulatedFlash()
    for slot in [0, 1, 5, 99] { flash.worn.insert([0, slot * FlashSlot.byteCount]) }
    var log = try FlashLog(flash)
    for number in 0..<UInt32(96) { try log.store(record(number)) }
    #expect(flash.erases == [0, 0])
    #expect(try FlashLog(flash).record == record(95))
    for slot in 0..<Self.slots { flash.worn.insert([1, slot * FlashSlot.byteCount]) }
    for _ in 0..<3 {
      #expect(throws: FlashFailure.write) { try log.store(self.record(96)) }
      #expect(try FlashLog(flash).record == record(95))
    }
    #expect(flash.erases[0] == 0)
  }

  @Test("A record of a later firmware is not passed over: what it took away would come back")
  func newer() throws {
    let flash = try self.flash(with: 2)
    var bytes = FlashSlot.encoded(record(3), sequence: 3)
    bytes[9] = 2
    let checksum = CRC32.checksum(of: bytes.span.extracting(4..<96))
    for index in 0..<4 {
      bytes[index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
    }
    flash.write(bytes, to: 0, at: 2 * FlashSlot.byteCount)
    #expect(throws: FlashFailure.newer) { _ = try FlashLog(flash) }
  }

  @Test("Pages with too few places are refused: they would wear out")
  func small() {
    #expect(throws: FlashFailure.small) { _ = try FlashLog(SimulatedFlash(pageSize: 12_799)) }
  }
}
