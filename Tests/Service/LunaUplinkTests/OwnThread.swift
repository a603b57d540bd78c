import Dispatch
import Testing

/// Tests that run on a thread of their own, as their calls block: the few that tasks share are for what is tested.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  private final class Thread: TaskExecutor {
    private let queue = DispatchQueue(label: "luna.test")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Of the suite as a whole there is nothing to run.
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(Thread()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// On a thread of its own.
  static var ownThread: Self { Self() }
}
