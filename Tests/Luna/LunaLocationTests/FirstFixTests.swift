import Bluetooth
import LunaCore
import Testing

@testable import LunaLocation

@Suite(.timeLimit(.minutes(10)))
struct FirstFixTests {
  /// A receiver that has no position, and counts how often it was stopped.
  private actor SilentReceiver: LocationSource {
    nonisolated let description = "nowhere"
    nonisolated let updates: AsyncStream<LocationUpdate>
    private let continuation: AsyncStream<LocationUpdate>.Continuation
    private(set) var stops = 0

    init() { (updates, continuation) = AsyncStream.makeStream(of: LocationUpdate.self) }

    func start() { continuation.yield(.unavailable("no satellites")) }

    func stop() {
      stops += 1
      continuation.finish()
    }
  }

  /// Clocks on which waiting is over at once, or never.
  private static func clock(waits: Bool) -> WallClock {
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    return WallClock(
      now: { Timestamp(microseconds: 0) }, elapsed: { .zero },
      sleep: { _ in
        guard waits else { return }
        for await _ in never {}
        withExtendedLifetime(end) {}
        // Only a cancellation ends that.
        throw CancellationError()
      })
  }

  @Test func isThatOfTheSource() async {
    let fix = LocationFix(latitude: 52.5, longitude: 13.25, altitude: nil)
    let source = StaticLocation(fix)
    let found = await source.firstFix(within: .seconds(30), clock: Self.clock(waits: true))
    #expect(found?.latitude == 52.5 && found?.longitude == 13.25)
  }

  @Test func isNotWaitedForLonger() async {
    let receiver = SilentReceiver()
    #expect(await receiver.firstFix(within: .seconds(30), clock: Self.clock(waits: false)) == nil)
    #expect(await receiver.stops == 1)
  }
}
