import Bluetooth

/// How samples are kept: fine at first, then in hours, then in days.
enum SampleStep: Int64, CaseIterable, Sendable {
  case fiveMinutes, hour, day

  /// How long one of them lasts, and how long they are kept, µs. Of five minutes, none is cut.
  var width: Int64 {
    switch self {
    case .fiveMinutes: 1
    case .hour: 3_600_000_000
    case .day: 86_400_000_000
    }
  }

  var lifetime: Int64 {
    switch self {
    case .fiveMinutes: 48 * 3_600_000_000
    case .hour: 30 * 86_400_000_000
    case .day: 400 * 86_400_000_000
    }
  }

  /// The beginning of the one that a time is in.
  func start(of time: Timestamp) -> Int64 {
    let rest = time.microseconds % width
    return time.microseconds - (rest < 0 ? rest + width : rest)
  }
}
