import Bluetooth
import LunaCore
import LunaHome

/// Brings what a home has to say to standard error and into `home.log`, as far as its file wants that.
struct HomeLogger: Logger {
  private let diagnostics: Diagnostics
  private let console: LogLevel?
  private let fileLevel: LogLevel?
  private let file: HomeLogFile?
  let level: LogLevel

  /// - Parameter state: the directory that `home.log` is in.
  init(_ diagnostics: Diagnostics, _ setup: HomeSetup, state: String) {
    self.diagnostics = diagnostics
    console = setup.consoleLevel
    fileLevel = setup.fileLevel
    let path = state + "/" + HomeLogFile.name
    file = fileLevel == nil ? nil : HomeLogFile(path, now: { Timestamp.now })
    level = [console, fileLevel].compactMap { $0 }.min() ?? .ERROR
  }

  func write(_ level: LogLevel, _ message: String) {
    if let fileLevel, level >= fileLevel { file?.write(level, message) }
    guard let console, level >= console else { return }
    switch level {
    case .DEBUG: diagnostics.detail("luna: " + message)
    case .INFO: diagnostics.note("luna: " + message)
    case .ERROR: diagnostics.warning("luna: " + message)
    }
  }
}
