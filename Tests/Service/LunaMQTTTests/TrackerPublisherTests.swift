import FileOutput
import LunaCore
import LunaTesting
import MQTT
import Testing

@testable import LunaMQTT

@Suite(.timeLimit(.minutes(10))) struct TrackerPublisherTests {
  private struct Observed { weak var store: InMemoryDeviceStore? }

  /// Begins, and lets go of everything without a stop.
  private func forget(in folder: String, at broker: String) async throws -> Observed {
    let address = try MQTTAddress("mqtt://\(broker)")
    let topics = HomeTopics(base: nil, host: "attic", discovery: nil)
    let publisher = try TrackerPublisher(
      MQTTConfiguration(address, clientID: "luna-attic"), topics: topics)
    let store = InMemoryDeviceStore()
    try await publisher.start(
      [], of: store, remembering: AnnouncedTrackers(in: folder, broker: broker, topics),
      updates: AsyncStream { $0.finish() })
    return Observed(store: store)
  }

  @Test("A publisher that nobody has any more lets go of its store")
  func letsGo() async throws {
    let folder = try #require(TemporaryFolder("luna-publisher"))
    let port = ClosedPort()
    let observed = try await forget(in: folder.path, at: "127.0.0.1:\(port.number)")
    try await waitUntil { observed.store == nil }
    withExtendedLifetime(port) {}
  }
}
