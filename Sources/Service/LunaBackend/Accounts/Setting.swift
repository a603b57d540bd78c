import LunaJSON

/// Something that an admin may change while the server runs.
struct Setting: Sendable {
  /// What it is called.
  let name: String
  /// What it is until somebody changes it.
  let initial: JSONValue
  /// Whether it can have a value.
  let isValid: @Sendable (JSONValue) -> Bool

  /// All of them.
  static let all =
    TileLook.allCases.map(\.setting) + [
      Setting(name: HealthLimit.setting, initial: .null) {
        HealthLimit.limits($0, from: HealthLimits()) != nil
      }
    ]
}
