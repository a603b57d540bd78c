/// Something that a part of a program recorded of its own use. Its words are the program's own: nothing of
/// what was heard, and nobody's name.
public enum TelemetryUsage: Hashable, Sendable {
  /// A part began.
  case appear(String)
  /// A part ended.
  case disappear(String)
  /// Something happened in a part.
  case event(String, in: String)
  /// Something took so long in a part.
  case operation(String, in: String, took: Duration)
}
