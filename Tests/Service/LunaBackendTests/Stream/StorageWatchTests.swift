import Bluetooth
import LunaFleet
import Testing

@testable import LunaBackend

/// Whether one backend hears what another one has changed.
@Suite(.timeLimit(.minutes(10))) struct StorageWatchTests {
  @Test(arguments: StorageKind.available)
  func tellsOfChangesOfOthersWhereTheStorageDoes(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let (mine, other) = (try await place.prepared(), try place.open())
    let (told, continuation) = AsyncStream<Void>.makeStream()
    guard let watch = mine.watch({ continuation.yield() }) else {
      #expect(kind == .sqlite)
      return
    }
    var notices = told.makeAsyncIterator()
    // It listens from now on; what was before may have been missed.
    await notices.next()
    for name in ["a", "b"] {
      try await FleetStore(storage: other).adopt(name, at: Samples.now)
      await notices.next()
    }
    watch.end()
  }
}
