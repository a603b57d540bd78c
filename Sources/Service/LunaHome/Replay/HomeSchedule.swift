/// When rules run next by the clock.
public struct HomeSchedule: Sendable {
  /// A run that is to come.
  public struct Run: Hashable, Sendable {
    /// The id of the rule.
    public let rule: String
    /// When, s since 1970.
    public let at: Int64
  }

  /// The next runs of all rules that hold, the soonest first.
  ///
  /// - Parameters:
  ///   - after: s since 1970.
  ///   - count: how many of each rule.
  public static func runs(
    of configuration: HomeConfiguration, after: Int64, count: Int
  ) -> [Run] {
    var runs: [Run] = []
    for rule in configuration.rules where rule.isEnabled {
      var moments: Set<Int64> = []
      for case .time(let trigger) in rule.triggers {
        var last = after
        for _ in 0..<count {
          guard let next = trigger.next(after: last) else { break }
          moments.insert(next)
          last = next
        }
      }
      runs += moments.sorted().prefix(count).map { Run(rule: rule.id, at: $0) }
    }
    return runs.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
  }
}
