import Bluetooth
import LunaCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BellTests {
  /// A clock by which no time passes.
  private let stopped = WallClock(
    now: { .unknown }, elapsed: { .zero },
    sleep: { _ in try await Task.sleep(for: .seconds(3600)) })

  /// A clock by which it passes at once.
  private let hurried = WallClock(now: { .unknown }, elapsed: { .zero }, sleep: { _ in })

  @Test func remembersThatItRangForWhoWaitsNext() async {
    let bell = Bell()
    bell.ring()
    bell.ring()
    await bell.wait(for: .seconds(1), by: stopped)
    // That was heard: only time ends the next wait.
    await bell.wait(for: .seconds(1), by: hurried)
  }

  @Test func wakesWhoWaits() async {
    let bell = Bell()
    let waiting = Task { await bell.wait(for: .seconds(1), by: stopped) }
    bell.ring()
    await waiting.value
  }

  @Test func endsWithTheTimeAndWithTheTask() async {
    let bell = Bell()
    await bell.wait(for: .zero, by: stopped)
    await bell.wait(for: .seconds(1), by: hurried)
    let waiting = Task { await bell.wait(for: .seconds(1), by: stopped) }
    waiting.cancel()
    await waiting.value
  }

  @Test func aRopeRingsTheBellsThatAreStillThere() async {
    let rope = BellRope()
    let bell = Bell()
    rope.add(bell)
    do { rope.add(Bell()) }
    rope.pull()
    await bell.wait(for: .seconds(1), by: stopped)
    #expect(!rope.isFree)
    withExtendedLifetime(bell) {}
    let other = BellRope()
    do { other.add(Bell()) }
    #expect(other.isFree)
  }

  @Test func aStoreTellsThatADeviceCame() async {
    let store = InMemoryDeviceStore()
    let bell = Bell()
    store.tell(bell)
    store.put([Samples.device(1)])
    await bell.wait(for: .seconds(1), by: stopped)
  }
}
