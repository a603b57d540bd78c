// The names of the cases are those of the Luna SDK.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// How much a message matters, the least first.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// For who looks into how it works.
  case DEBUG
  /// What a user may want to know.
  case INFO
  /// Something does not work as it should.
  case ERROR

  /// Orders by how much it matters.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
