import LunaStore
import Synchronization

/// A place in which operations are open, within another one.
final class OperationScope: Sendable {
  /// That of tasks that stand for themselves.
  static let global = OperationScope(parent: nil, subkey: "global")
  /// How often each phase has come to this program.
  private static let phases = Mutex<[LifecyclePhase: Int]>([:])

  let parent: OperationScope?
  /// What it adds to the path of the one around it.
  let subkey: String
  /// Who records; nil for the program's.
  private let own: Telemetry?
  private let table = Mutex(OperationTable())

  init(parent: OperationScope?, subkey: String, telemetry: Telemetry? = nil) {
    self.parent = parent
    self.subkey = subkey
    own = telemetry ?? parent?.own
  }

  var telemetry: Telemetry? { own ?? Telemetry.shared }

  /// A phase has come.
  static func enter(_ phase: LifecyclePhase) { phases.withLock { $0[phase, default: 0] += 1 } }

  /// Now, by the clocks of who records.
  static func moment(_ clocks: TelemetryClocks) -> OperationMoment {
    let awake = clocks.awake()
    return OperationMoment(
      awake: awake, asleep: clocks.sinceBoot() - awake, phases: phases.withLock { $0 })
  }

  func begin(
    _ name: String, _ cancelOn: Set<LifecyclePhase>, _ duplicates: DuplicateRule,
    at moment: OperationMoment
  ) -> Int? {
    table.withLock {
      $0.begin(name, cancelOn: cancelOn, duplicates: duplicates, at: moment)
    }
  }

  func end(_ name: String, number: Int? = nil) -> OperationTable.Open? {
    table.withLock { $0.end(name, number: number) }
  }

  func has(_ name: String) -> Bool { table.withLock { $0.has(name) } }
}
