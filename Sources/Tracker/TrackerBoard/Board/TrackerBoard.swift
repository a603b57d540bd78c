import Bluetooth
import LunaCrypto
import LunaProtocol
import PeripheralHost
package import TrackerMachine

/// A tracker that one can hold, as a value: the tracker, its flash, the controller that is its radio, a button, a buzzer,
/// a light, a battery, a watchdog and a console. What happens goes in, what is to be done comes out. Firmware is a loop
/// around it.
///
/// Times are milliseconds since power-on. What a record stands for is done only once the record is in flash; when that
/// fails, nothing of it is done, and the board starts again.
package struct TrackerBoard<Pages: FlashPages, Generator: RandomNumberGenerator> {
  /// What the board keeps without power.
  package internal(set) var flash: FlashLog<Pages>
  /// The tracker.
  package internal(set) var machine: TrackerMachine
  /// Why it stopped; nil while it runs.
  package internal(set) var fault: BoardFault?

  var generator: Generator
  var host: PeripheralHost
  var link: PeripheralLink?
  /// What happened on links and was not told the tracker yet.
  var heard: [LinkNews] = []
  /// Whether the code was made just now, and nobody knows it.
  private let isNew: Bool

  var button = Button()
  /// Whether the button is held since power came, which is no press: who puts a battery in may touch it.
  var isHeld = false
  var sound = Beat.sound
  var light = Beat.light
  var gauge = BatteryGauge()
  var watchdog = Watchdog()

  /// The longest ATT PDU that it takes, and the longest value. No message of the protocol has more than 64 bytes, and
  /// strangers may fill the memory of a board with what they write and with answers that they do not take.
  static var largestMTU: Int { 128 }

  /// A board that has power. Where its flash has no record, which is so at the first start or when it is full of what
  /// nobody can read, it is a new tracker, with a code of its own.
  ///
  /// - Throws: ``BoardFault/flash(_:)``.
  package init(
    flash pages: Pages, hardware: TrackerHardware = TrackerHardware(),
    oscillator: TrackerMachine.Oscillator = .init(), using generator: Generator
  ) throws(BoardFault) {
    var generator = generator
    var log: FlashLog<Pages>
    let record: TrackerRecord
    do throws(FlashFailure) {
      log = try FlashLog(pages)
      isNew = log.record == nil
      if let found = log.record {
        record = found
      } else {
        record = TrackerRecord(code: OnboardingCode.drawn(using: &generator))
        try log.store(record)
      }
    } catch { throw .flash(error) }
    flash = log
    machine = TrackerMachine(record: record, hardware: hardware, oscillator: oscillator)
    var services = TrackerCharacteristic.services
    if !hardware.capabilities.contains(.nonOwnerSound) {
      services.removeAll { $0.uuid == TrackerCharacteristic.nonOwnerSound.service }
    }
    host = PeripheralHost(
      serving: services, largestMTU: TrackerBoard.largestMTU,
      longestValue: TrackerBoard.largestMTU)
    self.generator = generator
  }

  /// Power has come.
  ///
  /// - Parameters:
  ///   - uptime: now.
  ///   - clock: what the tracker's clock shows, ms, where the board has kept it; nil where it was lost.
  ///   - note: what was kept beside it.
  ///   - isButtonDown: whether the button is held. Then a tracker that nobody owns tells its code again.
  package mutating func start(
    at uptime: Int64, clock: Int64?, note: RestartNote, isButtonDown: Bool = false
  ) -> [BoardAction] {
    var actions: [BoardAction] = []
    isHeld = isButtonDown
    if isNew || isButtonDown && machine.record.ownership == nil {
      actions.append(.write(codeLine))
    }
    take(host.start(at: .milliseconds(uptime)), &actions)
    if clock != nil, !note.contains(.clockIsExact) {
      perform(machine.doubtClock(), at: uptime, &actions)
    }
    do throws(CryptoError) {
      let wanted = try machine.start(at: uptime, clock: clock, using: &generator)
      perform(wanted, at: uptime, &actions)
    } catch { stop(.crypto, &actions) }
    if note.contains(.hadFault) { tell(.fault(true), at: uptime, &actions) }
    // Nothing is said of a battery that was not measured.
    tell(.battery(gauge.level), at: uptime, &actions)
    settle(at: uptime, &actions)
    return actions
  }

  /// What the tracker's clock shows, ms, for a board that keeps it while it starts again; nil for a tracker that nobody
  /// owns.
  package func clock(at uptime: Int64) -> Int64? {
    machine.record.ownership == nil ? nil : machine.time(at: uptime)
  }

  /// What is kept beside it while the board runs.
  package var note: RestartNote { machine.hasFault ? .hadFault : [] }

  /// When ``tick(at:)`` has to be called, at the latest; nil before the start and after the end.
  package var deadline: Int64? {
    guard fault == nil else { return nil }
    let deadlines = [
      machine.nextDeadline, host.deadline.map { $0.roundedUpMilliseconds }, button.deadline,
      sound.deadline, light.deadline, watchdog.deadline,
    ]
    return deadlines.compactMap { $0 }.min()
  }

  /// The time for something has come, or the board woke for another reason.
  package mutating func tick(at uptime: Int64) -> [BoardAction] {
    var actions: [BoardAction] = []
    take(host.tick(at: .milliseconds(uptime)), &actions)
    if let deadline = machine.nextDeadline, deadline <= uptime {
      tell(.timePassed, at: uptime, &actions)
    }
    settle(at: uptime, &actions)
    return actions
  }

  /// The controller has sent bytes, in pieces of any size.
  package mutating func receive(_ bytes: Span<UInt8>, at uptime: Int64) -> [BoardAction] {
    var actions: [BoardAction] = []
    take(host.receive(stream: bytes, at: .milliseconds(uptime)), &actions)
    settle(at: uptime, &actions)
    return actions
  }

  /// The contacts of the button are closed or open.
  package mutating func press(_ isClosed: Bool, at uptime: Int64) -> [BoardAction] {
    var actions: [BoardAction] = []
    isHeld = isHeld && isClosed
    button.see(isClosed, at: uptime)
    settle(at: uptime, &actions)
    return actions
  }

  /// The battery was measured; 0 where that cannot be done.
  package mutating func measure(millivolts: Int, at uptime: Int64) -> [BoardAction] {
    var actions: [BoardAction] = []
    if let level = gauge.measure(millivolts: millivolts) {
      tell(.battery(level), at: uptime, &actions)
    }
    settle(at: uptime, &actions)
    return actions
  }

  /// A byte was typed on the console: `s` asks how the tracker does, `c` for its code, which only those are told who
  /// press its button, and as long as nobody owns it. Consoles behind USB are often opened after the first start.
  package func answer(_ byte: UInt8) -> [BoardAction] {
    if byte == UInt8(ascii: "s") { return [.write(stateLine)] }
    let isTold = isButtonDown && machine.record.ownership == nil
    return byte == UInt8(ascii: "c") && isTold ? [.write(codeLine)] : []
  }

  /// What follows from whatever has happened.
  mutating func settle(at uptime: Int64, _ actions: inout [BoardAction]) {
    if let isDown = button.tick(at: uptime) {
      tell(isDown ? .buttonDown : .buttonUp, at: uptime, &actions)
    }
    while fault == nil, !heard.isEmpty {
      let news = heard.removeFirst()
      hear(news.event, on: news.link, at: uptime, &actions)
    }
    if flash.isWorn, !machine.hasFault { tell(.fault(true), at: uptime, &actions) }
    guard fault == nil else { return }
    if let isOn = sound.tick(at: uptime) { actions.append(.sound(isOn)) }
    if let isOn = light.tick(at: uptime) { actions.append(.light(isOn)) }
    if watchdog.tick(at: uptime) { actions.append(.feed) }
  }

  /// Something happens to the tracker.
  mutating func tell(
    _ event: TrackerMachine.Event, at uptime: Int64, _ actions: inout [BoardAction]
  ) {
    guard fault == nil else { return }
    do throws(CryptoError) {
      let wanted = try machine.handle(event, at: uptime, using: &generator)
      perform(wanted, at: uptime, &actions)
    } catch { stop(.crypto, &actions) }
  }

  /// Ends everything: it must not be fed any more, and not heard.
  mutating func stop(_ fault: BoardFault, _ actions: inout [BoardAction]) {
    guard self.fault == nil else { return }
    self.fault = fault
    heard = []
    actions.append(.sound(false))
    actions.append(.light(false))
    var line = ConsoleLine("fault")
    line.add(fault.word)
    actions.append(.write(line.ended))
    actions.append(.restart(fault))
  }
}
