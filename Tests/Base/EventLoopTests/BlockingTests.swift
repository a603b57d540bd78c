import Dispatch
import EventLoop
import Foundation
import Glibc
import LunaTesting
import Testing

/// Calls that block, in programs whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct BlockingTests {
  private struct Failure: Error, Equatable {}

  @Test func keepsTheOrderOfOneThread() async {
    let blocking = Blocking(name: "order")
    let first = Task { await blocking.run { 1 } }
    #expect(await first.value == 1)
    #expect(await blocking.run { [1, 2, 3] } == [1, 2, 3])
  }

  @Test func throwsWhatWasThrown() async {
    await #expect(throws: Failure()) {
      try await Blocking.run { () throws(Failure) in throw Failure() }
    }
  }

  @Test func beginsLater() async {
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    let began = ContinuousClock.now
    Blocking(name: "later").start(after: .milliseconds(50)) { continuation.finish() }
    for await _ in ended {}
    #expect(began.duration(to: .now) >= .milliseconds(40))
  }

  /// The check itself: a call on the thread of the tasks is noticed.
  @Test func aCallBesideTheDoorStopsEveryTask() async {
    await #expect(processExitsWith: .signal(SIGALRM)) {
      let semaphore = DispatchSemaphore(value: 0)
      @Sendable func wait() { semaphore.wait() }
      try await OneThread.check(within: 3, { wait() }, until: { semaphore.signal() })
    }
  }

  @Test func tasksGoOnWhileACallWaits() async {
    await #expect(processExitsWith: .success) {
      let semaphore = DispatchSemaphore(value: 0)
      try await OneThread.check(
        { await Blocking.run { semaphore.wait() } }, until: { semaphore.signal() })
    }
  }

  @Test func tasksGoOnWhileALockIsWaitedFor() async {
    await #expect(processExitsWith: .success) {
      let path = NSTemporaryDirectory() + "luna-lock-\(getpid())"
      let held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      let wanted = open(path, O_RDWR | O_CLOEXEC)
      unlink(path)
      #expect(flock(held, LOCK_EX) == 0)
      try await OneThread.check(
        { #expect(await Blocking.run { flock(wanted, LOCK_EX) } == 0) }, until: { close(held) })
    }
  }

  @Test func tasksGoOnWhileAProcessIsWaitedFor() async {
    await #expect(processExitsWith: .success) {
      var process: pid_t = 0
      // It ends with what it reads, and that with this process, however this one ends.
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      var arguments = [strdup("cat"), nil]
      #expect(posix_spawnp(&process, "cat", &actions, nil, &arguments, environ) == 0)
      let child = process
      try await OneThread.check(
        {
          let ended = await Blocking.run {
            var status: Int32 = 0
            return waitpid(child, &status, 0)
          }
          #expect(ended == child)
        }, until: { kill(child, SIGKILL) })
    }
  }

  /// What runs on it as an actor keeps nobody else waiting either.
  @Test func tasksGoOnWhileAnActorWaits() async {
    await #expect(processExitsWith: .success) {
      let (resident, semaphore) = (Resident(), DispatchSemaphore(value: 0))
      try await OneThread.check(
        { await resident.wait(semaphore) }, until: { semaphore.signal() })
    }
  }

  @Test func tasksGoOnWhileATaskOnItsOwnThreadWaits() async {
    await #expect(processExitsWith: .success) {
      let (tasks, semaphore) = (BlockingTasks(name: "tasks"), DispatchSemaphore(value: 0))
      @Sendable func wait() { semaphore.wait() }
      try await OneThread.check(
        { await Task(executorPreference: tasks) { wait() }.value }, until: { semaphore.signal() })
    }
  }

  /// What such a task calls of an actor that has no thread runs there, too.
  @Test func tasksGoOnWhileAnActorWaitsForATaskOnItsOwnThread() async {
    await #expect(processExitsWith: .success) {
      let (tasks, semaphore) = (BlockingTasks(name: "tasks"), DispatchSemaphore(value: 0))
      let guest = Guest()
      try await OneThread.check(
        { await Task(executorPreference: tasks) { await guest.wait(semaphore) }.value },
        until: { semaphore.signal() })
    }
  }

  private actor Guest {
    func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
  }

  private actor Resident {
    private let blocking = Blocking(name: "resident")
    nonisolated var unownedExecutor: UnownedSerialExecutor { blocking.asUnownedSerialExecutor() }

    func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
  }
}
