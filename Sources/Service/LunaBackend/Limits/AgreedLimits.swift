import Synchronization

/// What this process goes by of what all on one database share, which may change while it runs.
final class AgreedLimits: Sendable {
  private let values: Mutex<[SharedSetting: Int]>

  init(_ configuration: BackendConfiguration) {
    var values: [SharedSetting: Int] = [:]
    for setting in SharedSetting.allCases { values[setting] = configuration[setting] }
    self.values = Mutex(values)
  }

  subscript(setting: SharedSetting) -> Int { values.withLock { $0[setting] ?? 0 } }

  /// Takes what is so now.
  ///
  /// - Returns: what is new of it.
  func take(_ now: [SharedSetting: Int]) -> [SharedSetting: Int] {
    values.withLock { values in
      var new: [SharedSetting: Int] = [:]
      for (setting, value) in now where values[setting] != value {
        (new[setting], values[setting]) = (value, value)
      }
      return new
    }
  }
}
