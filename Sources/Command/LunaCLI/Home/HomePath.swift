import Glibc
import LunaHome

/// The file of a home, as commands name it.
enum HomePath {
  /// The file that was named, or the one in the user's configuration.
  static func resolved(_ named: String?) throws -> String {
    if let named { return named }
    guard let path = HomeFilePlace.usual({ getenv($0).map { String(cString: $0) } }) else {
      throw CommandFailure(
        .usage, "there is no home directory, so it is not known where home.json is",
        hint: "name the file")
    }
    return path
  }

  /// The file that was named, or the one in the user's configuration, which is to be there.
  static func existing(_ named: String?) throws -> String {
    let path = try resolved(named)
    guard named != nil || access(path, F_OK) == 0 || errno != ENOENT else {
      throw CommandFailure(
        .unreadableInput, "there is no \(EscapedPath.text(path))",
        hint: "luna home init writes one; luna home run --demo shows a home that is made up")
    }
    return path
  }
}
