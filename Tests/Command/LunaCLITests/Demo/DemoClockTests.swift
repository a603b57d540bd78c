import Bluetooth
import LunaCore
import Testing

@testable import LunaCLI

@Suite("The time of the demonstration", .timeLimit(.minutes(10)))
struct DemoClockTests {
  private let clock = DemoClock(speed: 50, start: Timestamp(microseconds: 1_000_000))

  @Test("It begins where it is told, and a second of it is shorter")
  func isFaster() async throws {
    let began = ContinuousClock.now
    try await clock.sleep(until: clock.now.advanced(by: .seconds(5)), tolerance: nil)
    try await clock.wall.sleep(.seconds(5))
    let passed = clock.wall.elapsed()
    let real = began.duration(to: .now)
    #expect(passed >= .seconds(10))
    #expect(real >= .milliseconds(200) && real < passed)
    #expect(clock.wall.now().microseconds >= 11_000_000)
  }

  @Test("Its moments and its times of day agree")
  func agrees() {
    let moment = DemoClock.Instant(elapsed: .milliseconds(90_500))
    #expect(clock.time(at: moment) == Timestamp(microseconds: 91_500_000))
    let later = moment.advanced(by: .seconds(1))
    #expect(moment < later && moment.duration(to: later) == .seconds(1))
  }

  @Test("Waiting ends when the task is cancelled")
  func isCancelled() async {
    let task = Task { try await clock.wall.sleep(.seconds(100_000)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
