import LunaTesting
import Synchronization
import Testing

@testable import LunaBackend

/// Whoever asks whether a backend is ready has an answer.
@Suite(.timeLimit(.minutes(10))) struct StorageProbeTests {
  @Test func answersWhileTheStorageDoesNot() async throws {
    let probe = StorageProbe()
    let count = Atomic(0)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let health: @Sendable () async throws(StorageError) -> Void = {
      count.add(1, ordering: .relaxed)
      for await _ in gate { break }
    }
    // Several ask, and the storage is asked once.
    async let other = probe.failure(health)
    let (one, two) = (await probe.failure(health), await other)
    #expect(one?.kind == .unavailable)
    #expect(two?.kind == .unavailable)
    #expect(count.load(ordering: .relaxed) == 1)
    opening.finish()
    try await waitUntil { await probe.failure(health) == nil }
  }

  @Test func remembersThatADiskIsFull() async {
    let probe = StorageProbe()
    func failure() async -> StorageError.Kind? { await probe.failure {}?.kind }
    // What is away, the next small write finds away, or it is back.
    probe.note(StorageError(.unavailable, "away"))
    #expect(await failure() == nil)
    probe.note(StorageError(.full, "full"))
    #expect(await failure() == .full)
    probe.note(nil)
    #expect(await failure() == nil)
  }
}
