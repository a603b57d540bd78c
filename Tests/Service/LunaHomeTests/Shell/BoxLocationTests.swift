import Luna
import LunaCore
import LunaTesting
import Testing

@testable import LunaHome

/// What a home says of where its box is.
@Suite(.timeLimit(.minutes(10))) struct BoxLocationTests {
  /// Tells what a test wants.
  private final class Receiver: LocationSource, LocationProvider {
    let description = "a receiver"
    let updates: AsyncStream<LocationUpdate>
    let continuation: AsyncStream<LocationUpdate>.Continuation

    init() { (updates, continuation) = AsyncStream.makeStream() }

    func start() async {}
    func stop() async { continuation.finish() }
  }

  private static let file = #"{"box": {"location": "gpsd"}}"#

  private static func told(_ notices: [HomeNotice]) -> String? {
    notices.first { $0.kind == .unlocated }?.text
  }

  @Test func saysWhyNoTripIsSeen() async throws {
    let (receiver, clock) = (Receiver(), SteppedClock())
    let bench = try ShellBench(Self.file, clock: clock.clock, location: receiver)
    try await bench.home.start()
    let before = await bench.home.snapshot().revision
    receiver.continuation.yield(.unavailable("nobody answers"))
    for latitude in [1.0, 2] {
      receiver.continuation.yield(.fix(LocationFix(latitude: latitude, longitude: 0)))
      // A receiver loses its fix for moments.
      receiver.continuation.yield(.refused(.noFix))
    }
    receiver.continuation.yield(.fix(LocationFix(latitude: 3, longitude: 0)))
    try await waitUntil { await bench.home.box?.latitude == 3 }
    let changes = try #require(await bench.home.changes(after: before))
    let told = changes.compactMap { change -> String? in
      if case .notices(let notices) = change.event { Self.told(notices) } else { nil }
    }
    #expect(
      Set(told) == ["it is not known where this box is, so no trip is seen: nobody answers"])
    #expect(await Self.told(bench.home.snapshot().notices) == nil)
    clock.pass(.seconds(60))
    receiver.continuation.yield(.refused(.noFix))
    let lost = "it is not known where this box is, so no trip is seen: the receiver has no fix"
    try await waitUntil { await Self.told(bench.home.snapshot().notices) == lost }
    await bench.home.stop()
  }
}
