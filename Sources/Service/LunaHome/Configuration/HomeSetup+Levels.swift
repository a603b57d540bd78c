package import LunaCore

extension HomeSetup {
  /// The least level of messages on standard error; nil for none.
  package var consoleLevel: LogLevel? { HomeSetup.level(logLevel) }

  /// The least level of messages in `home.log`; nil for none.
  package var fileLevel: LogLevel? { HomeSetup.level(fileLogLevel) }

  /// What a level of the file is here; nil for none.
  private static func level(_ name: String) -> LogLevel? {
    switch name {
    case "Verbose", "Debug": .DEBUG
    case "Info", "Warning": .INFO
    case "Error": .ERROR
    default: nil
    }
  }
}
