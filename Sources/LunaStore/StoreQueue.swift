import Dispatch

/// Runs the calls of a store one after the other on a thread where waiting for the disk harms nobody.
final class StoreQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "luna.store")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
