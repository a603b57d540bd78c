import LunaCore

/// For what tells everything in another way.
struct SilentLogger: Logger {
  let level = LogLevel.ERROR
  func write(_ level: LogLevel, _ message: String) {}
}
