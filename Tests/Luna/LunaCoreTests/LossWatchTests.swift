import LunaCore
import LunaTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
final class LossWatchTests: Sendable {
  private let clock = SteppedClock()
  private let totals = Mutex<[String: UInt64]>([:])

  /// A watch, and what it tells.
  private func watch() -> (LossWatch, AsyncStream<String>.Iterator) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let watch = LossWatch(clock: clock.clock) { [self] in
      totals.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    } tell: { losses in
      for (reason, count) in losses { continuation.yield("\(reason) \(count)") }
    }
    return (watch, stream.makeAsyncIterator())
  }

  private func lose(_ count: UInt64, _ reason: String) {
    totals.withLock { $0[reason, default: 0] += count }
  }

  @Test func tellsEachSecondWhatGrows() async {
    var (watch, told) = watch()
    watch.start()
    for count in UInt64(1)...5 {
      await clock.sleeper(for: LossWatch.tick)
      lose(count, "kernel")
      lose(2 * count, "overrun")
      clock.pass(.seconds(1))
      #expect(await told.next() == "kernel \(count)")
      #expect(await told.next() == "overrun \(2 * count)")
    }
    #expect(clock.elapsed == .seconds(5))
    await watch.finish()
  }

  /// While nothing is heard it sleeps longer; what is heard wakes it.
  @Test func looksSeldomWhileNothingIsHeard() async {
    var (watch, told) = watch()
    watch.start()
    await clock.sleeper(for: LossWatch.tick)
    clock.pass(.seconds(1))
    await clock.sleeper(for: LossWatch.idleTick)
    watch.heard()
    await clock.sleeper(for: LossWatch.tick)
    lose(3, "queue")
    clock.pass(.seconds(1))
    #expect(await told.next() == "queue 3")
    #expect(clock.elapsed == .seconds(2))
    await watch.finish()
  }

  @Test func tellsTheRestAtTheEndAndNothingTwice() async {
    var (watch, told) = watch()
    watch.start()
    lose(4, "unfinished")
    await watch.finish()
    #expect(await told.next() == "unfinished 4")
    await watch.finish()
    lose(1, "unfinished")
    await watch.finish()
    #expect(await told.next() == "unfinished 1")
  }
}
