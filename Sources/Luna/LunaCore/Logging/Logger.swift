/// Takes messages. They hold no secrets. Every call may come from any thread.
public protocol Logger: Sendable {
  /// The least level that is of interest.
  var level: LogLevel { get }

  /// Takes a message, without a line break, of a level that is of interest.
  func write(_ level: LogLevel, _ message: String)
}

extension Logger {
  /// Makes and takes a message if its level is of interest.
  public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    if level >= self.level { write(level, message()) }
  }
}
