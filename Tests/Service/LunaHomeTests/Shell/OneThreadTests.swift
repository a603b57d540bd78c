import Dispatch
import LunaTesting
import Testing

@testable import LunaHome

/// A home in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileTheDiskOfAHomeIsSlow() async {
    await #expect(processExitsWith: .success) {
      let answer = DispatchSemaphore(value: 0)
      let looks = Watched(0)
      let bench = try ShellBench(
        "{}",
        freeSpace: { _ in
          answer.wait()
          looks.withLock { $0 += 1 }
          return nil
        })
      try await OneThread.check(
        {
          try await bench.home.start()
          try await looks.until { $0 > 0 }
          await bench.home.stop()
        }, until: { answer.signal() })
    }
  }
}
