import LunaCore
import LunaProtocol
import LunaShare
import LunaTesting
import Testing
import TrackerMachine

/// What the tracker itself makes of the packages of a share that ring it (SHARING.md, 1; PROTOCOL.md, 12.2).
@Suite(.timeLimit(.minutes(10)))
struct RingPackageTests {
  private let tracker: TrackerMachine
  private let period: UInt32

  init() throws {
    var machine = TrackerMachine(record: Samples.record())
    var generator = Seeded(3)
    _ = try machine.start(at: 0, clock: Int64(Samples.time) * 1000, using: &generator)
    tracker = machine
    period = try #require(machine.period)
  }

  private func shared(_ perPeriod: Int) throws -> SharedPeriods {
    try SharedPeriods(
      of: Samples.masterKey, periods: PeriodRange(first: period - 3, last: period + 3),
      rights: ShareRights(ring: RingRight(seconds: 9, perPeriod: perPeriod)), until: .max)
  }

  private func made(
    _ shared: SharedPeriods, _ period: UInt32, _ slot: Int, _ heids: inout ReportKeyDeriver
  ) throws -> [UInt8] {
    let ring = try #require(shared.rights.ring)
    let time = 1024 * Int64(period) + Int64(slot) * Int64(ring.spacing)
    let package = try #require(shared.ringPackage(period, at: time, heids: &heids))
    return package.bytes.indices.map { package.bytes[$0] }
  }

  /// What it answers first to a package, and for how long it sounds then.
  private func write(
    _ package: [UInt8], to machine: inout TrackerMachine
  ) throws -> (status: UInt8?, sounds: [Int]) {
    var generator = Seeded(5)
    var status: UInt8?
    var sounds: [Int] = []
    let events: [TrackerMachine.Event] = [
      .connected, .mtu(64), .write(.control, package), .disconnected,
    ]
    for event in events {
      for action in try machine.handle(event, at: 1000, using: &generator) {
        switch action {
        case .indicate(_, let value): status = value.first
        case .startSound(let seconds): sounds.append(seconds)
        default: break
        }
      }
    }
    return (status, sounds)
  }

  @Test(arguments: RingRight.choices)
  func eachIsTakenInItsPeriodAndOnce(perPeriod: Int) throws {
    let shared = try shared(perPeriod)
    var heids = try ReportKeyDeriver()
    for slot in 0..<perPeriod {
      for number in period - 3...period + 3 {
        let package = try made(shared, number, slot, &heids)
        var machine = tracker
        let (status, sounds) = try write(package, to: &machine)
        let isNear = period - 1...period + 1 ~= number
        #expect(status == (isNear ? ControlStatus.done : .wrongPeriod).rawValue)
        #expect(sounds == (isNear ? [9] : []))
        guard isNear else { continue }
        let again = try write(package, to: &machine)
        #expect(again.status == ControlStatus.stale.rawValue && again.sounds.isEmpty)
      }
      // After a higher counter.
      var machine = tracker
      let higher = try write(try made(shared, period + 1, slot, &heids), to: &machine)
      #expect(higher.status == ControlStatus.done.rawValue)
      for number in period - 1...period {
        let late = try write(try made(shared, number, slot, &heids), to: &machine)
        #expect(late.status == ControlStatus.stale.rawValue && late.sounds.isEmpty)
      }
    }
  }

  @Test(arguments: RingRight.choices)
  func noneIsTakenWithOneChangedBit(perPeriod: Int) throws {
    let shared = try shared(perPeriod)
    var heids = try ReportKeyDeriver()
    for slot in Set([0, perPeriod - 1]) {
      let package = try made(shared, period, slot, &heids)
      for bit in 0..<8 * package.count {
        var changed = package
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        var machine = tracker
        let (status, sounds) = try write(changed, to: &machine)
        #expect(status != nil && status != ControlStatus.done.rawValue, "bit \(bit)")
        #expect(sounds.isEmpty && machine.record.lastCounter == 0, "bit \(bit)")
      }
    }
  }
}
