/// Refuses to connect, for radios that cannot.
final class NoGATTClient: GATTClient {
  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    throw GATTError(.refused, during: "connect", "this radio only hears")
  }

  func close() async {}
}
