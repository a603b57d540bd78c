package import LunaJSON

/// A step that something asked for has taken.
package struct HomeCommandStep: Hashable, Sendable {
  /// How far it was.
  package let state: String
  /// What there was to say of it.
  package let detail: String
  /// Names why it failed, where there is a word for that.
  package let code: String?
  /// When, µs since 1970.
  package let time: Int64

  /// Whether it says the same, at whatever time.
  func isSame(as other: HomeCommandStep) -> Bool {
    state == other.state && detail == other.detail && code == other.code
  }

  /// It as JSON.
  package var json: JSONValue {
    var object: JSONObject = [
      "time": HomeTime.json(time), "state": .string(state), "detail": .string(detail),
    ]
    if let code { object.append("code", .string(code)) }
    return .object(object)
  }
}
