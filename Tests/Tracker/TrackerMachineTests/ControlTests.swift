import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@Suite("Control")
struct ControlTests {
  struct NoChallenge: Error {}

  /// An owner of the sample tracker.
  struct Owner {
    let keys: TrackerKeys

    init() throws {
      var schedule = try KeySchedule()
      keys = schedule.keys(of: TrackerSamples.masterKey)
    }

    func deferred(
      _ command: ControlCommand, _ argument: UInt16 = 0, counter: UInt32, period: UInt32
    ) throws -> ControlPackage {
      var authenticator = try ControlAuthenticator()
      return try authenticator.deferredPackage(
        command, argument: argument, counter: counter, period: period, keys: keys)
    }

    func interactive(
      _ command: ControlCommand, _ argument: UInt16 = 0, counter: UInt32,
      _ tracker: inout Simulation
    ) throws -> ControlPackage {
      let bytes = try tracker.read(.challenge)
      guard let challenge = ControlChallenge(bytes.span) else { throw NoChallenge() }
      var authenticator = try ControlAuthenticator()
      return try authenticator.interactivePackage(
        command, argument: argument, counter: counter, challenge: challenge, keys: keys)
    }

    func verify(_ receipt: [UInt8], for package: ControlPackage) throws -> Receipt {
      var authenticator = try ControlAuthenticator()
      return try authenticator.verify(receipt.span, for: package, keys: keys)
    }

    func deliver(_ package: ControlPackage, _ tracker: inout Simulation) throws -> Receipt {
      let bytes = package.bytes.indices.map { package.bytes[$0] }
      return try verify(try tracker.write(.control, bytes), for: package)
    }

    func status(_ tracker: inout Simulation) throws -> TrackerStatus {
      let frame = try tracker.frame()
      let control = try #require(keys.control)
      let period = try tracker.period
      return try Self.open(frame.esf, control, period)
    }

    private static func open(
      _ esf: ESF, _ control: SecretBytes, _ period: UInt32
    ) throws -> TrackerStatus {
      var schedule = try KeySchedule()
      return try schedule.openStatus(esf, botp: schedule.botp(control, period: period))
    }
  }

  private func connected() throws -> Simulation {
    var tracker = try Simulation.keyed()
    try tracker.run(for: Period.rotationDelayLimit)
    try tracker.send(.connected)
    return tracker
  }

  private func bytes(_ package: ControlPackage) -> [UInt8] {
    package.bytes.indices.map { package.bytes[$0] }
  }

  @Test("A deferred command is executed once; the counter is in flash before it acts")
  func deferred() throws {
    let owner = try Owner()
    var tracker = try connected()
    let package = try owner.deferred(
      .buzzStart, 10, counter: 1_700_000_100, period: try tracker.period)
    let actions = try tracker.send(.write(.control, bytes(package)))
    var order: [String] = []
    for action in actions {
      switch action {
      case .store(let record):
        #expect(record.lastCounter == 1_700_000_100)
        order.append("store")
      case .startSound(let seconds): order.append("sound \(seconds)")
      case .indicate(.control, let receipt):
        let verified = try owner.verify(receipt, for: package)
        #expect(verified.status == .done)
        order.append("receipt")
      default: break
      }
    }
    #expect(order == ["store", "sound 10", "receipt"])
    #expect(try owner.deliver(package, &tracker).status == .stale)
    try tracker.run(for: 9_999)
    #expect(!tracker.actions.contains { if case .stopSound = $0 { true } else { false } })
    try tracker.run(for: 1)
    #expect(tracker.actions.contains { if case .stopSound = $0 { true } else { false } })
    // Also after a power cut.
    try tracker.restart(clock: tracker.machine.time(at: tracker.uptime))
    try tracker.send(.connected)
    #expect(try owner.deliver(package, &tracker).status == .stale)
  }

  @Test("The period before and after are good, two away is not", arguments: [-2, -1, 0, 1, 2])
  func periods(distance: Int) throws {
    let owner = try Owner()
    var tracker = try connected()
    let period = UInt32(Int(try tracker.period) + distance)
    let package = try owner.deferred(.ping, counter: 5, period: period)
    let answer = try tracker.write(.control, bytes(package))
    if abs(distance) <= 1 {
      let receipt = try owner.verify(answer, for: package)
      #expect(receipt.status == .done)
    } else {
      #expect(answer == [3, 0, 0, 0, 0])
    }
  }

  @Test("While it sounds the status says so; a new start restarts the time")
  func sounding() throws {
    let owner = try Owner()
    var tracker = try connected()
    let period = try tracker.period
    _ = try owner.deliver(try owner.deferred(.buzzStart, counter: 1, period: period), &tracker)
    try tracker.run(for: 8_000)
    _ = try owner.deliver(try owner.deferred(.buzzStart, 20, counter: 2, period: period), &tracker)
    try tracker.run(for: 19_000)
    #expect(try owner.status(&tracker).isSounding)
    _ = try owner.deliver(try owner.deferred(.buzzStop, counter: 3, period: period), &tracker)
    #expect(try !owner.status(&tracker).isSounding)
  }

  @Test("A challenge is good for one write, for 30 s, on its connection")
  func challenge() throws {
    let owner = try Owner()
    var tracker = try connected()
    #expect(try tracker.read(.challenge) != tracker.read(.challenge))
    let challenge = try tracker.read(.challenge)
    let hint = ControlChallenge(challenge.span)?.clockHint ?? 0
    #expect(Int64(hint) == Period.start(of: try tracker.period) / 1000)
    var package = try owner.interactive(.ping, counter: 1, &tracker)
    #expect(try owner.deliver(package, &tracker).status == .done)
    // Burnt, whatever the counter.
    #expect(try tracker.write(.control, bytes(package)) == [1, 0, 0, 0, 0])
    package = try owner.interactive(.ping, counter: 2, &tracker)
    // A bad write burns it as well.
    #expect(try tracker.write(.control, [1, 2]) == [7, 0, 0, 0, 0])
    #expect(try tracker.send(.write(.control, bytes(package))).disconnects)
    try tracker.send(.disconnected)
    try tracker.send(.connected)
    package = try owner.interactive(.ping, counter: 3, &tracker)
    try tracker.run(for: 29_999)
    #expect(try owner.deliver(package, &tracker).status == .done)
    package = try owner.interactive(.ping, counter: 4, &tracker)
    try tracker.run(for: 20_000)
    _ = try tracker.read(.info)
    try tracker.run(for: 10_000)
    #expect(try tracker.write(.control, bytes(package)) == [1, 0, 0, 0, 0])
    package = try owner.interactive(.ping, counter: 5, &tracker)
    try tracker.send(.disconnected)
    try tracker.send(.connected)
    #expect(try tracker.write(.control, bytes(package)) == [1, 0, 0, 0, 0])
  }

  @Test("The owner sets the clock, and the periods follow at once")
  func setClock() throws {
    let owner = try Owner()
    var tracker = try connected()
    try tracker.restart(clock: nil)
    try tracker.send(.connected)
    #expect(tracker.machine.record.isClockUncertain)
    for counter in [
      TrackerSamples.time, TrackerSamples.time + 86_400 * 30, TrackerSamples.time + 86_400 * 50,
    ] {
      let package = try owner.interactive(.setClock, counter: counter, &tracker)
      let receipt = try owner.deliver(package, &tracker)
      #expect(receipt.status == .done)
      #expect(receipt.clock == counter)
      #expect(tracker.machine.time(at: tracker.uptime) == Int64(counter) * 1000)
      #expect(!tracker.flash.isClockUncertain)
      let period = Period.number(at: Int64(counter) * 1000)
      #expect([period, period - 1].contains(try tracker.period))
    }
  }

  @Test("A clock that ran ahead after power cuts is set back, and stays so over a restart")
  func setBack() throws {
    let owner = try Owner()
    var tracker = try connected()
    for _ in 0..<22 { try tracker.restart(clock: nil) }
    #expect(tracker.machine.time(at: tracker.uptime) > Int64(TrackerSamples.time + 86_400) * 1000)
    try tracker.send(.connected)
    let package = try owner.interactive(.setClock, counter: TrackerSamples.time + 300, &tracker)
    #expect(try owner.deliver(package, &tracker).status == .done)
    let period = Period.number(at: Int64(TrackerSamples.time + 300) * 1000)
    #expect([period, period - 1].contains(try tracker.period))
    try tracker.restart(clock: Int64(TrackerSamples.time + 2000) * 1000)
    let next = Period.number(at: Int64(TrackerSamples.time + 2000) * 1000)
    #expect([next, next - 1].contains(try tracker.period))
  }

  @Test("A small step of the clock within the period on air shows no other period")
  func smallStep() throws {
    let owner = try Owner()
    var tracker = try connected()
    let period = try tracker.period
    // Back to just after the start of the period, before the delay may be over.
    let start = UInt32(Period.start(of: period) / 1000)
    let package = try owner.interactive(.setClock, counter: start + 1, &tracker)
    #expect(try owner.deliver(package, &tracker).status == .done)
    #expect(try tracker.period == period)
  }

  @Test("The owner is here: no longer separated, for 30 minutes")
  func ownerHere() throws {
    let owner = try Owner()
    var tracker = try Simulation.keyed()
    try tracker.run(for: 3_600_000)
    #expect(tracker.machine.isSeparated(at: tracker.uptime))
    try tracker.send(.connected)
    let package = try owner.interactive(.ownerHere, counter: 1, &tracker)
    #expect(try owner.deliver(package, &tracker).status == .done)
    #expect(!tracker.machine.isSeparated(at: tracker.uptime))
    #expect(tracker.flash.ownerMetAt == tracker.machine.time(at: tracker.uptime))
    try tracker.run(for: 1_800_001)
    #expect(tracker.machine.isSeparated(at: tracker.uptime))
  }

  @Test("factoryReset over the link forgets everything but the code")
  func factoryReset() throws {
    let owner = try Owner()
    var tracker = try connected()
    let package = try owner.interactive(.factoryReset, counter: 9, &tracker)
    #expect(try owner.deliver(package, &tracker).status == .done)
    #expect(tracker.flash == TrackerSamples.factory())
    #expect(try tracker.read(.info)[1] == 0)
    #expect(try tracker.write(.control, bytes(package)) == [4, 0, 0, 0, 0])
  }

  @Test("Ten commands a minute; the eleventh is refused and keeps its counter")
  func rate() throws {
    let owner = try Owner()
    var tracker = try connected()
    let period = try tracker.period
    for counter in UInt32(1)...10 {
      let package = try owner.deferred(.ping, counter: counter, period: period)
      #expect(try owner.deliver(package, &tracker).status == .done)
    }
    let package = try owner.deferred(.ping, counter: 11, period: period)
    #expect(try owner.deliver(package, &tracker).status == .limited)
    #expect(tracker.flash.lastCounter == 10)
    try tracker.run(for: 29_000)
    _ = try tracker.read(.info)
    try tracker.run(for: 29_000)
    _ = try tracker.read(.info)
    try tracker.run(for: 2_000)
    #expect(try owner.deliver(package, &tracker).status == .done)
  }

  @Test("Busy, deferred setClock, argument out of range: refused with a receipt, nothing stored")
  func refusals() throws {
    let owner = try Owner()
    var tracker = try connected()
    let period = try tracker.period
    let setClock = try owner.deferred(.setClock, counter: 1, period: period)
    #expect(try owner.deliver(setClock, &tracker).status == .unsupported)
    let long = try owner.deferred(.blink, 61, counter: 1, period: period)
    #expect(try owner.deliver(long, &tracker).status == .unsupported)
    tracker.machine.isBusy = true
    let ping = try owner.deferred(.ping, counter: 1, period: period)
    #expect(try owner.deliver(ping, &tracker).status == .busy)
    #expect(tracker.actions.stores.isEmpty)
  }

  @Test("Three answers that prove nothing end the connection; so do 30 idle seconds")
  func disconnects() throws {
    var tracker = try connected()
    #expect(try !tracker.send(.write(.control, [])).disconnects)
    #expect(try !tracker.send(.write(.control, [])).disconnects)
    #expect(try tracker.send(.write(.control, [])).disconnects)
    try tracker.send(.disconnected)
    try tracker.send(.connected)
    let before = tracker.actions.count
    try tracker.run(for: 29_999)
    #expect(!Array(tracker.actions[before...]).disconnects)
    try tracker.run(for: 1)
    #expect(Array(tracker.actions[before...]).disconnects)
    let after = tracker.actions.count
    try tracker.run(for: 60_000)
    #expect(!Array(tracker.actions[after...]).disconnects)
  }

  @Test("The sound for strangers: only when separated, once a minute, 5 to 30 s")
  func strangers() throws {
    var tracker = try connected()
    let start: [UInt8] = [0x00, 0x03]
    #expect(try tracker.write(.nonOwnerSound, start) == [2, 3, 0, 3, 1, 0])
    try tracker.send(.disconnected)
    try tracker.run(for: 1_800_000)
    try tracker.send(.connected)
    #expect(try tracker.write(.nonOwnerSound, start) == [2, 3, 0, 3, 0, 0])
    let begun = tracker.uptime
    let before = tracker.actions.count
    try tracker.run(for: 29_000)
    var completed = false
    for action in tracker.actions[before...] {
      if case .indicate(.nonOwnerSound, [3, 3]) = action { completed = true }
    }
    #expect(completed)
    #expect(try tracker.write(.nonOwnerSound, start) == [2, 3, 0, 3, 1, 0])
    try tracker.run(for: 29_000)
    #expect(try tracker.write(.nonOwnerSound, [0x01, 0x03]) == [2, 3, 1, 3, 1, 0])
    try tracker.run(for: begun + 60_000 - tracker.uptime)
    #expect(try tracker.write(.nonOwnerSound, start) == [2, 3, 0, 3, 0, 0])
    #expect(try tracker.write(.nonOwnerSound, [0x01, 0x03]) == [2, 3, 1, 3, 0, 0])
    #expect(try tracker.write(.nonOwnerSound, [0x09]) == [2, 3, 0, 0, 3, 0])
    #expect(try tracker.write(.nonOwnerSound, [0x09, 0x03]) == [2, 3, 9, 3, 255, 255])
  }

  @Test("What may not be read or written is refused; offsets behind the end too")
  func permissions() throws {
    var tracker = try connected()
    func response(_ event: TrackerMachine.Event) throws -> TrackerResponse? {
      for case .respond(let response) in try tracker.send(event) { return response }
      return nil
    }
    for characteristic in TrackerCharacteristic.allCases {
      let read = try response(.read(characteristic, offset: 0))
      #expect((read == .refused(0x02)) == !characteristic.isReadable)
      let written = try response(.write(characteristic, [0xFE]))
      #expect(written == (characteristic.isWritable ? .written : .refused(0x03)))
      guard characteristic.isReadable else { continue }
      #expect(try response(.read(characteristic, offset: 100)) == .refused(0x07))
      #expect(try response(.read(characteristic, offset: -1)) == .refused(0x07))
    }
    #expect(try tracker.read(.txPowerLevel) == [0])
    try tracker.send(.disconnected)
    #expect(try response(.read(.info, offset: 0)) == .refused(0x0E))
  }
}
