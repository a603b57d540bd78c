/// How much speaks for a tracker that follows.
public enum WatchGrade: String, Comparable, Sendable {
  /// It was heard on a trip.
  case notice
  /// It came along.
  case suspect
  /// Some tracker of its kind was there each time; that it was the same one cannot be shown.
  case possible
  /// It follows.
  case alarm

  private var rank: Int {
    switch self {
    case .notice: 0
    case .suspect: 1
    case .possible: 2
    case .alarm: 3
    }
  }

  /// In the order of their weight.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
