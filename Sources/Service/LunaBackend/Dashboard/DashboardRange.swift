import Bluetooth

/// How far back a dashboard looks.
enum DashboardRange: String, CaseIterable, Sendable {
  case hour = "1h"
  case day = "24h"
  case week = "7d"
  case month = "30d"

  /// How many times are shown.
  var buckets: Int64 {
    switch self {
    case .hour: 12
    case .day: 24
    case .week: 28
    case .month: 30
    }
  }

  /// How long one of them is, µs.
  var width: Int64 {
    switch self {
    case .hour: 300_000_000
    case .day: 3_600_000_000
    case .week: 6 * 3_600_000_000
    case .month: 86_400_000_000
    }
  }

  /// Which samples are read, for so many gateways.
  func step(gateways: Int) -> SampleStep {
    switch self {
    case .hour: .fiveMinutes
    case .day: .hour
    case .week: gateways > 500 ? .day : .hour
    case .month: .day
    }
  }

  /// The number of the last bucket: that of a time.
  func last(at time: Timestamp) -> Int64 { time.microseconds / width }
}
