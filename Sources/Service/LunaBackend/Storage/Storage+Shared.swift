import Bluetooth
import Diagnosis
public import LunaCore

extension Storage {
  /// Has a process go by what all on its storage have agreed on. The first one says what that is; where a file has
  /// one process alone, this one does.
  ///
  /// - Parameters:
  ///   - given: what somebody has said for this process.
  ///   - isKept: whether what nobody has said before is kept for all others.
  /// - Returns: what it is to go by.
  /// - Throws: `differs` when something was given that is not so for the others.
  public func agree(
    on configuration: BackendConfiguration, given: Set<SharedSetting>, isKept: Bool = true
  ) async throws(StorageError) -> BackendConfiguration {
    guard isShared else { return configuration }
    var settled = try await sharedSettings()
    if isKept, settled.count < SharedSetting.allCases.count {
      let time = now.microseconds
      settled = try await transaction { work throws(StorageError) in
        var settled = try work.sharedSettings()
        // Who is refused has changed nothing.
        try SharedSetting.check(configuration, given, settled)
        for setting in SharedSetting.allCases where settled[setting] == nil {
          try work.keep(configuration[setting], for: setting, at: time)
          settled[setting] = configuration[setting]
        }
        return settled
      }
    }
    try SharedSetting.check(configuration, given, settled)
    var agreed = configuration
    for (setting, value) in settled { agreed[setting] = value }
    return agreed
  }

  /// What the processes on it have agreed on; nothing where there is one alone.
  public func sharedSettings() async throws(StorageError) -> [SharedSetting: Int] {
    guard isShared else { return [:] }
    return try await lookUp { work throws(StorageError) in try work.sharedSettings() }
  }

  /// Changes what all processes on it go by. They do so within a minute.
  public func change(_ settings: [SharedSetting: Int]) async throws(StorageError) {
    let time = now.microseconds
    try await transaction { work throws(StorageError) in
      for (setting, value) in settings { try work.keep(value, for: setting, at: time) }
    }
  }

  /// How many events there are of a day.
  public func eventCount(of day: Day) async throws(StorageError) -> Int {
    if let storage = self as? PostgreSQLStorage { return try await storage.count(of: day) }
    return try await lookUp { work throws(StorageError) in
      let row = try work.row(
        "SELECT count(*) FROM luna.events WHERE day = $1", [.integer(Int64(day.number))])
      return Int(row?.integer(0) ?? 0)
    }
  }
}

extension StorageTransaction {
  fileprivate func sharedSettings() throws(StorageError) -> [SharedSetting: Int] {
    var settings: [SharedSetting: Int] = [:]
    for row in try rows("SELECT name, value FROM luna.settings") {
      guard let setting = SharedSetting.allCases.first(where: { $0.row == row.text(0) }) else {
        continue
      }
      guard let value = Int(row.text(1)), setting.range.contains(value) else {
        throw StorageError(
          .damaged, "the setting \(setting.rawValue) of the database cannot be read",
          remedy: "set it anew: \(.sharedSettings)")
      }
      settings[setting] = value
    }
    return settings
  }

  fileprivate func keep(
    _ value: Int, for setting: SharedSetting, at time: Int64
  ) throws(StorageError) {
    try change(
      """
      INSERT INTO luna.settings(name, value, changed) VALUES($1, $2, $3)
      ON CONFLICT(name) DO UPDATE SET value = excluded.value, changed = excluded.changed
      """, [.text(setting.row), .text(String(value)), .integer(time)])
  }
}

extension SharedSetting {
  fileprivate static func check(
    _ configuration: BackendConfiguration, _ given: Set<SharedSetting>,
    _ settled: [SharedSetting: Int]
  ) throws(StorageError) {
    for setting in allCases where given.contains(setting) {
      guard let value = settled[setting], value != configuration[setting] else { continue }
      throw StorageError(
        .differs,
        "the backends on this database have agreed on \(setting.rawValue) \(value), and this one was given "
          + "\(configuration[setting])",
        remedy: "leave that out, or change it for all: \(.sharedSettings)")
    }
  }
}
