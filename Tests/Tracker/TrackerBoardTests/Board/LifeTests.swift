import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@testable import TrackerBoard

/// A board from its first start on.
@Suite("The life of a board")
struct LifeTests {
  private func code(in script: BoardScript) throws -> OnboardingCode {
    let written = Array(script.lines.joined().utf8)
    return try #require(OnboardingCode.first(inLinesOf: written))
  }

  /// What a board with an owner tells in its frames.
  private func status(of script: BoardScript) throws -> TrackerStatus {
    while script.board.machine.advertisement?.mode != .frame { script.run(for: 100) }
    let sent = try #require(script.board.machine.advertisement)
    let frame = try LunaFrame(advertisingData: sent.data.span)
    var schedule = try KeySchedule()
    let control = try #require(schedule.keys(of: TrackerSamples.masterKey).control)
    return try schedule.openStatus(frame.esf, botp: schedule.botp(control, period: sent.period))
  }

  @Test("A new board makes its code, keeps it, tells it once, and is on air")
  func firstStart() throws {
    let script = try BoardScript(.drawn())
    let told = try code(in: script)
    #expect(told == script.board.machine.record.code)
    #expect(script.isOnAir)
    #expect(script.board.machine.record.state == .factory)
    let count = script.lines.count
    try script.restart(clock: nil)
    #expect(script.board.machine.record.code == told)
    #expect(script.lines.count == count)
    // Whoever holds it in the hand, and its button, may ask again.
    try script.restart(clock: nil, isButtonDown: true)
    #expect(script.lines.count == count + 1)
    let other = try BoardScript(Seeded(2)).board.machine.record.code
    #expect(try BoardScript(Seeded(1)).board.machine.record.code != other)
  }

  @Test("Its code is alone on its line also behind a line that was broken off, and behind noise")
  func ownLine() throws {
    let script = try BoardScript(.drawn())
    let told = try #require(script.lines.first)
    for before in [Array("state fac".utf8), [0xFF, 0x00], Array("c".utf8)] {
      let found = OnboardingCode.first(inLinesOf: before + Array(told.utf8))
      #expect(found == script.board.machine.record.code)
    }
  }

  @Test("Who presses its button is told the code again as long as nobody owns it")
  func codeAgain() throws {
    let script = try BoardScript(.drawn())
    let told = try #require(script.lines.first)
    #expect(told.contains("LUNA1:"))
    #expect(script.answer(to: "c") == nil)
    script.press(true)
    script.run(for: Button.settling)
    #expect(script.answer(to: "c") == told)
    script.press(false)
    script.run(for: Button.settling)
    #expect(script.answer(to: "c") == nil)
    let owned = try BoardScript.keyed(.drawn())
    owned.press(true)
    owned.run(for: Button.settling)
    #expect(owned.answer(to: "s")?.contains(" button=down ") == true)
    #expect(owned.answer(to: "c") == nil)
  }

  @Test("A button that is held since power came counts for the code, and is no press")
  func heldFromTheStart() throws {
    let script = try BoardScript(.drawn())
    let told = try #require(script.lines.first)
    try script.restart(clock: nil, isButtonDown: true)
    #expect(script.answer(to: "s")?.contains(" button=down ") == true)
    #expect(script.answer(to: "c") == told)
    script.press(false)
    #expect(script.answer(to: "s")?.contains(" button=up ") == true)
    #expect(script.answer(to: "c") == nil)
    let owned = try BoardScript.keyed(.drawn())
    try owned.restart(clock: nil, isButtonDown: true)
    owned.run(for: 11_000)
    #expect(owned.board.machine.record.state == .keyed)
    #expect(owned.answer(to: "c") == nil)
  }

  @Test("Flash full of garbage makes a new tracker of it")
  func garbage() throws {
    let flash = SimulatedFlash()
    var generator = Seeded.drawn()
    for page in 0..<2 { flash.bytes[page] = generator.bytes(flash.pageSize) }
    let script = try BoardScript(flash: flash, generator)
    let told = try code(in: script)
    try script.restart(clock: nil)
    #expect(script.board.machine.record.code == told)
    #expect(script.isOnAir)
  }

  @Test("It is onboarded with the code of its label, rung and pinged, and tells no code any more")
  func whole() throws {
    let script = try BoardScript(.drawn())
    var owner = BoardOwner(script)
    let isDone = try owner.onboard(upTo: .finish, code: try code(in: script))
    #expect(isDone)
    script.leave()
    #expect(script.board.machine.record.ownership?.masterKey == owner.masterKey)
    #expect(try owner.command(.ping) == .done)
    #expect(script.sounds.isEmpty)
    #expect(try owner.command(.buzzStart, argument: 2) == .done)
    script.run(for: 2500)
    // Four beeps of 200 ms, with 300 ms behind each.
    #expect(script.sounds == [true, false, true, false, true, false, true, false])
    #expect(try owner.command(.blink, argument: 1) == .done)
    script.run(for: 1500)
    #expect(script.lights == [true, false, true, false])
    let codes = script.lines.count { $0.contains("LUNA1:") }
    try script.restart(clock: script.board.clock(at: script.now), isButtonDown: true)
    #expect(script.lines.count { $0.contains("LUNA1:") } == codes)
  }

  @Test(
    "It tells what it has, and serves no sound for strangers without a buzzer",
    arguments: [[.light], [.buzzer, .light, .nonOwnerSound, .button]] as [TrackerCapabilities])
  func capabilities(of board: TrackerCapabilities) throws {
    let hardware = TrackerHardware(capabilities: board)
    let script = try BoardScript(hardware: hardware, .drawn())
    script.connect()
    // Info: version, state, capabilities.
    let info = try #require(script.ask([0x0A, 12, 0]).first)
    #expect(info.prefix(5) == [0x0B, 1, 0, 0, UInt8(truncatingIfNeeded: board.rawValue)])
    // The declaration behind the Luna service.
    let isServed = script.ask([0x0A, 21, 0]).first?.first == 0x0B
    #expect(isServed == board.contains(.nonOwnerSound))
  }

  @Test("Ten seconds of its button forget the owner, nine do not; nothing of the key stays")
  func resetByButton() throws {
    let script = try BoardScript.keyed(.drawn())
    script.hold(for: 9000)
    #expect(script.board.machine.record.state == .keyed)
    script.hold(for: 10_100)
    #expect(script.board.machine.record.state == .factory)
    #expect(!script.flash.contains((0..<32).map { UInt8($0) }))
    try script.restart(clock: nil)
    #expect(script.board.machine.record.state == .factory)
  }

  @Test("A battery that is low is told; one that was not measured is unknown")
  func battery() throws {
    let script = try BoardScript.keyed(.drawn())
    #expect(script.board.machine.battery == .unknown)
    script.measure(2950)
    #expect(script.board.machine.battery == .normal)
    script.measure(2500)
    #expect(script.board.machine.battery == .low)
    script.measure(2200)
    #expect(script.board.machine.battery == .critical)
    #expect(script.answer(to: "s")?.contains("battery=critical") == true)
  }

  @Test("The console says how it does, and never a key")
  func console() throws {
    let script = try BoardScript.keyed(.drawn())
    #expect(
      script.answer(to: "s")
        == "state keyed period=1660156 counter=0 clock=good battery=unknown link=none button=up writes=1\r\n"
    )
    #expect(script.answer(to: "x") == nil)
    #expect(!script.lines.contains { $0.contains("0001020304") })
  }

  @Test("The console says when the button counts as pressed")
  func pressed() throws {
    let script = try BoardScript.keyed(.drawn())
    script.press(true)
    #expect(script.answer(to: "s")?.contains(" button=up ") == true)
    script.run(for: Button.settling)
    #expect(script.answer(to: "s")?.contains(" button=down ") == true)
    script.press(false)
    script.run(for: Button.settling)
    #expect(script.answer(to: "s")?.contains(" button=up ") == true)
  }

  @Test("A clock that was lost shows no period again, and says that it is uncertain")
  func lostClock() throws {
    let script = try BoardScript.keyed(.drawn())
    for _ in 0..<10 {
      script.sleep(until: script.now + 3 * Period.milliseconds)
      let shown = try #require(script.board.machine.period)
      try script.restart(clock: nil)
      let period = try #require(script.board.machine.period)
      #expect(period > shown)
      #expect(script.board.machine.record.isClockUncertain)
    }
    #expect(script.answer(to: "s")?.contains("clock=uncertain") == true)
  }

  @Test("A clock that a reset left behind goes on, and says for good that it is uncertain")
  func lateClock() throws {
    let script = try BoardScript.keyed(.drawn())
    script.run(for: 60_000)
    let kept = try #require(script.board.clock(at: script.now))
    try script.restart(clock: kept)
    #expect(!script.board.machine.record.isClockUncertain)
    try script.restart(clock: kept, note: [])
    #expect(script.board.clock(at: script.now) == kept)
    #expect(try status(of: script).isClockUncertain)
    // Also when the board starts again by itself later.
    try script.restart(clock: kept)
    #expect(script.board.machine.record.isClockUncertain)
    // Who has no owner has no clock to doubt.
    let unowned = try BoardScript(.drawn())
    let writes = unowned.flash.writes
    try unowned.restart(clock: kept, note: [])
    #expect(unowned.flash.writes == writes)
  }

  @Test("A controller that stays silent ends the board, which starts again")
  func deadController() throws {
    let script = try BoardScript.keyed(.drawn())
    script.controller.silent = Set(script.controller.opcodes)
    script.run(for: 20 * 60_000)
    #expect(script.faults.count == 1)
    #expect(script.board.fault != nil)
    #expect(script.board.deadline == nil)
    let fed = script.feeds.count
    // Who has stopped does not feed the watchdog.
    script.sleep(until: script.now + Watchdog.timeout)
    #expect(script.feeds.count == fed)
    #expect(script.lines.last?.hasPrefix("fault controller") == true)
    try script.restart(clock: nil)
    #expect(script.isOnAir)
  }

  @Test("What it had to start again for it tells its owner until its power goes")
  func toldFault() throws {
    let script = try BoardScript.keyed(.drawn())
    #expect(try !status(of: script).hasFault)
    #expect(script.board.note == [])
    let clock = script.board.clock(at: script.now)
    try script.restart(clock: clock, note: [.clockIsExact, .hadFault])
    let told = try status(of: script)
    #expect(told.hasFault && !told.isClockUncertain)
    // For when it is reset by another.
    #expect(script.board.note == .hadFault)
    try script.restart(clock: nil)
    #expect(try !status(of: script).hasFault)
  }

  @Test("It tells its owner of flash that wears out, and goes on")
  func wornFlash() throws {
    let script = try BoardScript.keyed(.drawn())
    var owner = BoardOwner(script)
    // The place behind that of its first record.
    script.flash.worn.insert([0, FlashSlot.byteCount])
    #expect(try owner.command(.ping) == .done)
    #expect(script.faults.isEmpty)
    #expect(try status(of: script).hasFault)
    #expect(script.board.note == .hadFault)
  }

  @Test("Flash that takes nothing ends the board before it acts")
  func deadFlash() throws {
    let script = try BoardScript.keyed(.drawn())
    var owner = BoardOwner(script)
    script.flash.stepsLeft = 0
    #expect(try owner.command(.buzzStart) == nil)
    #expect(script.faults == [.flash(.write)])
    #expect(!script.sounds.contains(true))
  }
}
