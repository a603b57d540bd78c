/// The size of a terminal in characters.
struct TerminalSize: Sendable, Equatable {
  var columns: Int
  var rows: Int

  /// What a terminal has that does not say.
  static let usual = TerminalSize(columns: 80, rows: 24)
}
