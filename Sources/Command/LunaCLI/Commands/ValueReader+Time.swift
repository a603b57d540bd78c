import CommandSpec
import LunaDocuments

extension ValueReader where Value == GivenTime? {
  /// A time, as people give it.
  static var time: Self {
    Self(expects: "a time such as 2026-11-21 10:00, yesterday 09:00, 24h (so long ago), or now") {
      text throws(ValueProblem) in
      guard let time = GivenTime(text) else { throw ValueProblem("is no time") }
      return time
    }
  }
}
