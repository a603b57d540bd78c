import Dispatch
import LunaCore
import LunaStore
import Testing

@testable import LunaHome

/// When a home tells that a rule ran.
@Suite(.timeLimit(.minutes(10))) struct ToldFiringTests {
  /// Holds up what is kept with a message until the test lets it go on.
  private final class HeldOutbox: HomeOutbox {
    let gate = DispatchSemaphore(value: 0)

    func add(
      _ messages: [HomeMessage], to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) { gate.wait() }
    func add(
      _ mail: HomeMail, to database: borrowing HomeDatabase
    ) throws(DeviceStoreError) {}
    func wake() {}
    func reload(_ settings: NotificationSettings) {}
    func retry(_ id: Int64) async -> Bool { false }
    func stop() async {}
  }

  /// Else a home that is killed in between has told of what it does not list, and tells of it again.
  @Test func onceItIsKept() async throws {
    let outbox = HeldOutbox()
    let bench = try ShellBench(
      """
      {"contacts": [{"id": "ann"}], "rules": [
        {"id": "n", "cooldown": "0s", "level": "warn", "when": [{"message": "tell"}],
          "then": [{"notify": {"to": "ann"}}]}]}
      """
    ) { _, _ in outbox }
    let changes = await bench.home.changes()
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    await bench.home.message("tell")
    let early = await bench.home.changes(after: before)
    #expect(early?.contains { $0.name == "firing" } == false)
    outbox.gate.signal()
    var told: HomeFiring?
    for await change in changes {
      guard case .firing(let firing) = change.event else { continue }
      told = firing
      break
    }
    let kept = try await bench.records(of: "n", [.firing])
    #expect(kept.count == 1 && kept.first?.firing == told?.id)
    await bench.home.stop()
  }
}
