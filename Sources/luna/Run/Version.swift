/// Which version of the program this is.
enum Version {
  static let text = "0.1.0"
  /// When it was made, for the manual pages.
  static let date = "November 21, 2026"
}
