import LunaCore
import LunaJSON

/// Lines of JSON about what a server does. None of them holds a token, an identifier of a tracker or
/// the address of a client.
public struct BackendLog: Sendable {
  /// How much a line matters.
  public enum Level: String, Comparable, Sendable {
    /// Every request.
    case debug
    /// Start, stop, refused requests.
    case info
    /// Something does not work.
    case error

    private var rank: Int { self == .debug ? 0 : self == .info ? 1 : 2 }

    /// Orders by how much it matters.
    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
  }

  let level: Level
  let write: @Sendable (Level, String) -> Void

  /// - Parameters:
  ///   - level: the least level that is written.
  ///   - write: takes how much a line matters, and the line without its end; from any thread.
  public init(level: Level, write: @escaping @Sendable (Level, String) -> Void) {
    self.level = level
    self.write = write
  }

  /// No lines.
  public static let none = BackendLog(level: .error) { _, _ in }

  func line(_ level: Level, _ message: String, _ members: JSONObject = [:]) {
    if level >= self.level { writeAlways(level, message, members) }
  }

  /// A line that was asked for, whatever the least level.
  func writeAlways(_ level: Level, _ message: String, _ members: JSONObject) {
    var object: JSONObject = [
      "time": .string(SystemTime.now().rfc3339), "level": .string(level.rawValue),
      "message": .string(message),
    ]
    object.members += members.members
    write(level, JSONValue.object(object).description)
  }
}
