/// A key that was pressed.
enum Key: Sendable, Equatable {
  case character(Character)
  /// A letter with Ctrl, in lower case.
  case control(Character)
  case enter, tab, backspace, delete, escape
  case up, down, left, right, home, end, pageUp, pageDown
  /// A sequence that means nothing to us.
  case other
}
