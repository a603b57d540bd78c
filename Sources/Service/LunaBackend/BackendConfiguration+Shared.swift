extension BackendConfiguration {
  /// What holds for a setting that processes share.
  public subscript(setting: SharedSetting) -> Int {
    get {
      switch setting {
      case .retention: Int(retentionDays)
      case .eventsPerIdentifier: eventsPerHeidAndHour
      case .eventsPerSecond: eventsPerSecond
      case .requestsPerSecond: requestsPerSecond
      case .openCommands: openCommandsPerOwner
      }
    }
    set {
      switch setting {
      case .retention: retentionDays = Int32(clamping: newValue)
      case .eventsPerIdentifier: eventsPerHeidAndHour = newValue
      case .eventsPerSecond: eventsPerSecond = newValue
      case .requestsPerSecond: requestsPerSecond = newValue
      case .openCommands: openCommandsPerOwner = newValue
      }
    }
  }
}
