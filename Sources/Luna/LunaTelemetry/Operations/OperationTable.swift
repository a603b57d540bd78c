/// The operations that are open, by name.
struct OperationTable: Sendable {
  /// More open ones of one name are forgotten: whoever begins them never finishes them.
  static let limit = 1024
  /// The machine's two clocks are not read at once.
  private static let tolerance = Duration.milliseconds(500)

  /// One that is open.
  struct Open: Sendable {
    let number: Int
    let began: OperationMoment
    let cancelOn: Set<LifecyclePhase>

    /// How long it took; nil when a phase has ended it.
    func duration(to end: OperationMoment) -> Duration? {
      for phase in cancelOn where end.phases[phase, default: 0] != began.phases[phase, default: 0] {
        return nil
      }
      if cancelOn.contains(.suspend), end.asleep - began.asleep > OperationTable.tolerance {
        return nil
      }
      return max(.zero, end.awake - began.awake)
    }
  }

  private var open: [String: [Open]] = [:]
  private var last = 0

  /// Begins one.
  ///
  /// - Returns: its number; nil when it is ignored.
  mutating func begin(
    _ name: String, cancelOn: Set<LifecyclePhase>, duplicates: DuplicateRule,
    at moment: OperationMoment
  ) -> Int? {
    // What a phase has ended is open no more.
    var others = open[name, default: []].filter { $0.duration(to: moment) != nil }
    switch duplicates {
    case .replace: others = []
    case .keep where !others.isEmpty:
      open[name] = others
      return nil
    case .keep, .unique: break
    }
    last += 1
    others.append(Open(number: last, began: moment, cancelOn: cancelOn))
    if others.count > OperationTable.limit { others.removeFirst() }
    open[name] = others
    return last
  }

  /// Whether one of a name is open, ended by a phase or not.
  func has(_ name: String) -> Bool { open[name] != nil }

  /// Ends one: that of a number, else the one that began first.
  ///
  /// - Returns: nil when it is not open any more.
  mutating func end(_ name: String, number: Int? = nil) -> Open? {
    guard var others = open[name] else { return nil }
    let index = number.map { number in others.firstIndex { $0.number == number } } ?? 0
    guard let index, others.indices.contains(index) else { return nil }
    let one = others.remove(at: index)
    open[name] = others.isEmpty ? nil : others
    return one
  }
}
