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
    try requireText(path)
    return path
  }

  /// Refuses a path of the environment that was no text: with other characters in it, it is that of another file.
  static func requireText(_ path: String) throws(CommandFailure) {
    guard path.unicodeScalars.contains("\u{FFFD}") else { return }
    throw CommandFailure(
      .usage, "the path in XDG_CONFIG_HOME or HOME is not UTF-8",
      hint: "set XDG_CONFIG_HOME to one that is")
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
