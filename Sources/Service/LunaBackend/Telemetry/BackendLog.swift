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
  let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - level: the least level that is written.
  ///   - write: takes a line without its end; from any thread.
  public init(level: Level, write: @escaping @Sendable (String) -> Void) {
    self.level = level
    self.write = write
  }

  /// No lines.
  public static let none = BackendLog(level: .error) { _ in }

  func line(_ level: Level, _ message: String, _ members: JSONObject = [:]) {
    guard level >= self.level else { return }
    var object: JSONObject = [
      "time": .string(SystemTime.now().rfc3339), "level": .string(level.rawValue),
      "message": .string(message),
    ]
    object.members += members.members
    write(JSONValue.object(object).description)
  }
}
