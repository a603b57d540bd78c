/// How many slots a widget takes.
public enum WidgetSize: String, Sendable, CaseIterable {
  /// One slot.
  case small
  /// Two slots of a row, from an even column.
  case medium

  var width: Int { self == .small ? 1 : 2 }
}
