import Glibc

/// Makes the state directory and what leads to it, for its owner alone.
enum StateDirectoryMaker {
  /// - Parameter hint: what to do where that cannot be.
  static func make(
    _ path: String, hint: String = "use --state DIR or --store sqlite:FILE"
  ) throws(CommandFailure) {
    var made = ""
    for part in path.split(separator: "/") {
      made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      let code = errno
      guard access(made, F_OK) != 0 else { continue }
      throw CommandFailure(
        .noPermission, "cannot make the directory \(made): \(ErrorText.of(code))",
        hint: hint)
    }
  }
}
