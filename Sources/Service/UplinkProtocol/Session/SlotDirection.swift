/// Which way the data of a slot goes.
package enum SlotDirection: String, CaseIterable, Sendable {
  /// From the client to the server.
  case up
  /// From the server to the client.
  case down
}
