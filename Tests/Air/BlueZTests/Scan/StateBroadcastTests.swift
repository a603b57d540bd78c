import Bluetooth
import Synchronization
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10)))
struct StateBroadcastTests {
  @Test func tellsTheLatestStateAndThenEveryChange() async {
    let states = StateBroadcast()
    states.send(.scanning)
    var listener = states.stream.makeAsyncIterator()
    #expect(await listener.next() == .scanning)
    states.send(.scanning)
    states.send(.starting)
    #expect(await listener.next() == .starting)
    states.finish()
    #expect(await listener.next() == nil)
  }

  @Test func tellsALastingStateNowAndThen() async {
    let start = ContinuousClock.now
    let clock = Mutex(start)
    let states = StateBroadcast { clock.withLock { $0 } }
    let listener = states.stream
    // An attempt every twelve seconds, for two hours.
    for attempt in 0...600 {
      clock.withLock { $0 = start + .seconds(12 * attempt) }
      states.send(.recovering(reason: "off"))
    }
    states.finish()
    var count = 0
    for await state in listener where state == .recovering(reason: "off") { count += 1 }
    #expect(count == 13)
  }

  /// Whoever stops to listen comes with a lock of the runtime, which telling them something needs as well.
  @Test func toldWhileListenersStopItGoesOn() async {
    let states = StateBroadcast()
    let teller = Task.detached {
      while !Task.isCancelled {
        states.send(.starting)
        states.send(.scanning)
        await Task.yield()
      }
    }
    for _ in 0..<300 {
      let listeners = (0..<4).map { _ in
        Task.detached { for await _ in states.stream {} }
      }
      await Task.yield()
      for listener in listeners { listener.cancel() }
      for listener in listeners { await listener.value }
    }
    teller.cancel()
    await teller.value
  }
}
