import Bluetooth
import CommandSpec
import LunaDocuments

/// When something that runs is to end: after a while, or when clocks next show a time of day.
enum StopTime: Hashable, Sendable {
  case after(Duration)
  case at(TimeOfDay)

  /// How long that is from now.
  func duration(_ zone: ZoneOptions) -> Duration {
    switch self {
    case .after(let duration): return duration
    case .at(let time):
      let now = Timestamp.now
      return .microseconds(zone.next(time, after: now).microseconds - now.microseconds)
    }
  }
}

extension ValueReader where Value == StopTime? {
  /// A length of time, or a time of day.
  static var stopTime: Self {
    Self(expects: "a time such as 10s, 5m or 1h, or a time of day such as 15:00") {
      text throws(ValueProblem) in
      if let time = TimeOfDay(text) { return .at(time) }
      return .after(try ValueReader<Duration>.duration.read(text))
    }
  }
}
