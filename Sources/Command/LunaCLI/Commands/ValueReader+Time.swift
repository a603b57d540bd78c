import Bluetooth
import CommandSpec
import LunaDocuments

extension ValueReader where Value == Timestamp? {
  /// A time, as RFC 3339, date or Unix seconds.
  static var time: Self {
    Self(expects: "a time such as 2026-11-21T10:00:00Z, a date, or Unix seconds") {
      text throws(ValueProblem) in
      guard let time = TimeParser.parse(text) else { throw ValueProblem("is no time") }
      return time
    }
  }
}
