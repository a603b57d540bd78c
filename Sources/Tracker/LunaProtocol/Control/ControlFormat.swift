/// How a control package is authenticated (PROTOCOL.md, 12.1).
public enum ControlFormat: UInt8, Sendable {
  /// For one period, made by an owner who is far away; anyone may deliver it.
  case deferred = 1
  /// For one challenge on one connection.
  case interactive = 2
}
