import Dispatch

/// The one door to calls that block: looking up names, connecting, opening databases, waiting for
/// disks, locks and other processes. The threads that Swift runs tasks on are as few as the machine
/// has processors: on a machine with one, a task that waits for anything would stop everything.
///
/// Each value stands for a thread on which calls are made one after the other, and can be the
/// executor of an actor whose calls block.
public final class Blocking: SerialExecutor {
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - name: what debuggers call it.
  ///   - isUrgent: whether others wait for what is done here, and go on only then.
  public init(name: String, isUrgent: Bool = false) {
    queue = DispatchQueue(label: name, qos: isUrgent ? .userInitiated : .unspecified)
  }

  /// Makes a call, after those that were asked for before.
  public func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  /// Makes a call beside all others.
  public static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Blocking(name: "luna.blocking").run(body)
  }

  /// Begins a call that nobody waits for, after those that were asked for before.
  public func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// The same, at the earliest so much later.
  public func start(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), execute: body)
  }

  /// Begins a call that nobody waits for, beside all others.
  public static func start(_ body: @escaping @Sendable () -> Void) {
    Blocking(name: "luna.blocking").start(body)
  }

  /// Queues a job of an actor.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
