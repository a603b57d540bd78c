/// What can happen to the live table.
enum TableEvent: Sendable, Equatable {
  case key(Key)
  /// What there is to show now.
  case snapshot(TableSnapshot)
  case resize(TerminalSize)
}
