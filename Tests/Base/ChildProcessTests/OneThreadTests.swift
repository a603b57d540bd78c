import ChildProcess
import Foundation
import Glibc
import LunaTesting
import Testing

/// Programs that are run by one whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileAProgramRuns() async {
    await #expect(processExitsWith: .success) {
      let path = NSTemporaryDirectory() + "luna-one-thread-\(getpid())"
      #expect(mkfifo(path, 0o600) == 0)
      defer { unlink(path) }
      try await OneThread.check(
        {
          let run = try await ProgramRun.run(["cat", path])
          #expect(run.status == 0)
        },
        // It reads to the end of what nobody writes.
        until: { close(open(path, O_WRONLY | O_CLOEXEC)) })
    }
  }
}
