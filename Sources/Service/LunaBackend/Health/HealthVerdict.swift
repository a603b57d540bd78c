/// How a gateway is, in one word.
public enum HealthVerdict: String, CaseIterable, Comparable, Sendable {
  /// Nothing is known.
  case unknown
  /// All is well.
  case ok
  /// Somebody should look at it.
  case warn
  /// It does not do what it is for, or will not soon.
  case bad

  /// Orders them by how bad they are.
  public static func < (left: HealthVerdict, right: HealthVerdict) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .unknown: 0
    case .ok: 1
    case .warn: 2
    case .bad: 3
    }
  }
}
