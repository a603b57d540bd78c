import Glibc
import SafeText

/// Writes messages to standard error, a line each.
public struct ConsoleLogger: Logger {
  /// The least level that is written.
  public let level: LogLevel

  /// A logger from a level on.
  public init(level: LogLevel = .INFO) { self.level = level }

  /// Writes a line; what would break it or steer a terminal is escaped.
  public func write(_ level: LogLevel, _ message: String) {
    var line = "\(level) \(EscapedText.line(message))\n"
    line.withUTF8 { bytes in
      // Nobody is left to tell when standard error cannot be written.
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
