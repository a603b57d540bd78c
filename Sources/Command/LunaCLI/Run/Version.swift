import Luna

/// Which version of the program this is.
enum Version {
  static let text = Luna.version()
  /// When it was made, for the manual pages.
  static let date = "November 21, 2026"
}
