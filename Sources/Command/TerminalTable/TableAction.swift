/// What the live table wants to be done.
enum TableAction: Sendable, Equatable {
  case redraw
  case quit
}
