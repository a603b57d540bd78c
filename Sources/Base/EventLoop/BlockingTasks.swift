/// Tasks on a thread of their own, where they may block: those elsewhere go on meanwhile.
///
/// One that prefers it (`withTaskExecutorPreference`, `Task(executorPreference:)`) makes its own calls
/// there, those of its children, and those of actors that have no thread. A `Task` that it begins runs
/// where all do, unless that prefers it as well.
///
/// For such a task an actor on a ``Reactor`` or a ``Blocking`` pauses at every `await`, also of its own methods
/// and of `withCheckedContinuation`: Swift takes the actor's thread for another executor than the one that the
/// task prefers, and queues it anew. What has to be looked at, or asked for, before somebody waits belongs into
/// the closure that gets the continuation.
package final class BlockingTasks: TaskExecutor {
  private let blocking: Blocking

  /// - Parameter name: what debuggers call the thread.
  package init(name: String) { blocking = Blocking(name: name) }

  /// Queues a piece of a task.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    blocking.start { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
