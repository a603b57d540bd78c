import Glibc
import LunaHome

/// The file of a home, and the machine that it is for.
enum HomePath {
  /// The file that was named, or the one in the user's configuration.
  static func resolved(_ named: String?) throws -> String {
    if let named { return named }
    guard let path = usual else {
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

  /// XDG Base Directory Specification; a relative path is to be ignored.
  private static var usual: String? {
    let base =
      variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? variable("HOME").map { $0 + "/.config" }
    return base.map { $0 + "/luna/home.json" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Makes the directory that a file is to lie in.
  static func makeDirectory(of path: String) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      // What cannot be made is told when the file cannot be written.
      if slash > path.startIndex { mkdir(String(path[..<slash]), 0o700) }
      end = path.index(after: slash)
    }
  }

  /// Whether others may not read a file; what replaces it is to be the same.
  static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
  }
}
