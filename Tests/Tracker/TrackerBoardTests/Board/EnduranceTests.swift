import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@testable import TrackerBoard

/// What others do to a board, and what time does to it.
@Suite("The endurance of a board")
struct EnduranceTests {
  @Test("In a year its clock is exact, nothing wraps, and its flash wears as stated")
  func year() throws {
    let script = try BoardScript.keyed(.drawn())
    let start = Int64(TrackerSamples.time) * 1000
    let year: Int64 = 365 * 86_400_000
    var last = try #require(script.board.machine.period)
    // From one stored period to the next: others are not stored.
    while script.now < year {
      script.sleep(until: script.now + 4 * Period.milliseconds)
      let period = try #require(script.board.machine.period)
      try #require(period == last + 3 || period == last + 4 || period == last + 5)
      last = period
    }
    #expect(script.board.machine.time(at: script.now) == start + script.now)
    #expect(script.faults.isEmpty)
    let stores = Int(script.board.flash.sequence)
    #expect((7_000...8_500).contains(stores))
    for erases in script.flash.erases { #expect(erases <= stores / 200 + 1) }
  }

  @Test("In an hour it wakes for its slots, and 60 times for the watchdog at most")
  func wakes() throws {
    let script = try BoardScript.keyed(.drawn())
    script.run(for: 60_000)
    let before = script.wakes
    script.run(for: 3_600_000)
    // 225 cycles of 16 s with two changes each, up to 4 rotations with two moments each, the end of the 30 minutes near the
    // owner, and the connectable slots begin where others do.
    #expect(script.wakes - before <= 2 * 226 + 8 + 1 + 60)
    #expect(zip(script.feeds, script.feeds.dropFirst()).allSatisfy { $1 - $0 < Watchdog.timeout })
  }

  @Test("Garbage, floods and a silent peer over links end no board", arguments: [1, 2, 3])
  func hostile(seed: UInt64) throws {
    var chance = Seeded(seed)
    let script = try BoardScript.keyed(chance)
    for _ in 0..<200 {
      script.connect()
      for _ in 0..<10 {
        let count = Int.random(in: 0...60, using: &chance)
        // Known opcodes half of the time.
        let opcode: UInt8 = [0x02, 0x04, 0x08, 0x0A, 0x0C, 0x12, 0x16, 0x18][Int(chance.next() % 8)]
        let pdu = chance.bytes(count)
        script.ask(chance.next() % 2 == 0 ? pdu : [opcode] + pdu)
      }
      // It says nothing more, or goes.
      if chance.next() % 8 == 0 {
        script.run(for: 40_000)
      } else {
        script.leave()
      }
    }
    script.leave()
    script.run(for: 40_000)
    #expect(script.faults.isEmpty)
    #expect(script.isOnAir)
    #expect(script.board.machine.record.lastCounter == 0)
    #expect(zip(script.feeds, script.feeds.dropFirst()).allSatisfy { $1 - $0 < Watchdog.timeout })
  }

  @Test("It keeps little of what strangers write and do not end")
  func little() throws {
    let script = try BoardScript.keyed(.drawn())
    script.connect()
    #expect(script.ask([0x02, 0xF7, 0]) == [[0x03, 128, 0]])
    // Prepare Write Request for Onboard: 256 bytes are kept, in 16 parts.
    var kept = 0
    for part in 0..<64 {
      let offset = [UInt8(16 * part & 0xFF), UInt8(part >> 4)]
      let answer = script.ask([0x16, 14, 0] + offset + [UInt8](repeating: 0, count: 16))
      kept += answer.first?.first == 0x17 ? 1 : 0
    }
    #expect(kept == 16)
    // Longer than any PDU: it is not even put together.
    #expect(script.ask([0x0A] + [UInt8](repeating: 0, count: 400)).isEmpty)
    script.leave()
    #expect(script.isOnAir && script.faults.isEmpty)
  }

  @Test("Garbage from the controller ends no board", arguments: [1, 2, 3])
  func garbage(seed: UInt64) throws {
    var chance = Seeded(seed)
    let script = try BoardScript.keyed(chance)
    for _ in 0..<300 { script.feed(stream: chance.bytes(40)) }
    // It may be given up; then it starts again, which nothing must be in the way of.
    try script.restart(clock: nil)
    #expect(script.isOnAir)
  }

  @Test("After 1,000 connections the next one is served")
  func connections() throws {
    let script = try BoardScript.keyed(.drawn())
    for _ in 0..<1000 {
      script.connect()
      script.ask([0x02, 64, 0])
      script.leave()
    }
    var owner = BoardOwner(script)
    #expect(try owner.command(.ping) == .done)
    #expect(script.faults.isEmpty)
    #expect(script.isOnAir)
  }
}
