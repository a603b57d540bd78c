/// What a method of ours answers.
public enum BusMethodReply: Hashable, Sendable {
  /// These values.
  case values([BusValue])
  /// An error: its name, and what a person should know.
  case error(String, String)
  /// It answers later, by ``BusConnection/reply(_:to:)``.
  case later
}
