import SafeText

/// Paths in messages.
enum EscapedPath {
  /// A path on one line.
  static func text(_ path: String) -> String { "\(ForeignText(path))" }
}
