/// A machine that a locate service offers, and where access to it is asked for.
package struct LocatedMachine: Hashable, Sendable {
  /// Its name.
  package let name: String
  /// Where access is opened, and kept open to the end. The address has a token in it, and is not shown.
  package let access: WebSocketURL

  /// The name of the server of Wehe's on it.
  package var server: String { "wehe-\(name)" }
}
