/// All that a home remembers between two inputs.
public struct HomeState: Hashable, Sendable, Codable {
  /// The number of the last input.
  public internal(set) var input: Int64 = 0
  /// When that was.
  var last: Moment?
  var trackers: [String: TrackerState] = [:]
  var rules: [String: RuleState] = [:]
  var receiver = ReceiverState()
  /// Runs that wait before their next action.
  var waiting: [WaitingRun] = []
  /// Nothing is due before, by boot time, µs.
  var nextDue: Int64 = .max
  /// Nothing is due by the wall clock before, s.
  var nextOccurrence: Int64 = .max

  /// Nothing has happened yet.
  public init() {}
}
