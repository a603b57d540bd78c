import Bluetooth
import LunaCore
import LunaProtocol
import LunaTesting

@testable import LunaFinder

/// Leads a machine through time, and sorts what it wants done.
struct Driver {
  var machine: FinderMachine
  var moment: FinderMoment
  var generator = Seeded(1)
  /// All that the machine wanted, in order.
  var actions: [FinderAction] = []

  /// 2026-11-21T10:00:00Z
  static let start = Timestamp(microseconds: 1_795_255_200_000_000)

  init(
    uploads: Bool = true, now: Timestamp = start,
    _ configure: (inout LunaConfiguration) -> Void = { _ in }
  ) {
    var configuration = LunaConfiguration(logger: NoLogger())
    configure(&configuration)
    machine = FinderMachine(configuration, uploads: uploads)
    moment = FinderMoment(elapsed: .seconds(100), now: now)
  }

  @discardableResult
  mutating func send(_ event: FinderEvent) -> [FinderAction] {
    let new = machine.handle(event, at: moment, using: &generator)
    actions += new
    return new
  }

  /// Lets time pass; the clock may go elsewhere.
  mutating func pass(_ duration: Duration, clock: Duration? = nil) {
    moment.elapsed += duration
    let step = (clock ?? duration).components
    moment.now = Timestamp(
      microseconds: moment.now.microseconds + step.seconds * 1_000_000
        + step.attoseconds / 1_000_000_000_000)
  }

  /// Lets time pass, second by second.
  @discardableResult
  mutating func tick(_ seconds: Int) -> [FinderAction] {
    var new: [FinderAction] = []
    for _ in 0..<seconds {
      pass(.seconds(1))
      new += send(.timePassed)
    }
    return new
  }

  mutating func locate(
    _ latitude: Double = 52, _ longitude: Double = 13, accuracy: Double? = 5
  ) -> [FinderAction] {
    send(
      .location(
        .fix(
          LocationFix(
            latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy,
            measuredAt: moment.now))))
  }

  /// A place that does not move.
  mutating func place() {
    send(.location(.fix(LocationFix(latitude: 52, longitude: 13, altitude: 34))))
  }

  @discardableResult
  mutating func hear(_ number: UInt64 = 1, rssi: Int? = -60) -> [FinderAction] {
    send(.frame(Samples.frame(number, rssi: rssi)))
  }

  /// As the shell does it: what was sealed is in the queue.
  mutating func queue(_ number: UInt64 = 1, waiting: Int) {
    send(
      .queued([FrameIdentity(Samples.frame(number).frame): Samples.heid(number)], waiting: waiting))
  }

  var seals: [FinderSighting] { Driver.seals(in: actions) }

  static func seals(in actions: [FinderAction]) -> [FinderSighting] {
    actions.compactMap { if case .seal(let sighting) = $0 { sighting } else { nil } }
  }

  static func uploads(in actions: [FinderAction]) -> [Int] {
    actions.compactMap { if case .upload(let limit, _, _) = $0 { limit } else { nil } }
  }

  /// The events that are sent all by themselves.
  static func alone(in actions: [FinderAction]) -> [Int64] {
    actions.compactMap { if case .upload(_, _, let id?) = $0 { id } else { nil } }
  }

  static func drops(in actions: [FinderAction]) -> [String: Int] {
    var drops: [String: Int] = [:]
    for case .drop(let reason, let count) in actions { drops[reason, default: 0] += count }
    return drops
  }
}

struct NoLogger: Logger {
  let level = LogLevel.ERROR
  func write(_ level: LogLevel, _ message: String) {}
}
