import Diagnosis
import EventLoop
import Glibc
package import LunaCore
import Synchronization

/// Keeps other processes, and others in this one, from something for as long as it lives: whoever comes
/// meanwhile waits. The system gives it back when the process ends, however that ends.
package final class WaitingLock: Sendable {
  /// Who waits for each file. One that waits in flock cannot be called back: one thread does that for all.
  private static let queues = Mutex<[String: [Waiter]]>([:])

  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    flock(descriptor, LOCK_UN)  // see ExclusiveLock
    close(descriptor)
  }

  /// Waits until nobody else has it, at most for a time.
  ///
  /// - Returns: nil when somebody still has it then.
  package static func take(
    _ path: String, within patience: Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async throws(DeviceStoreError) -> WaitingLock? {
    let (descriptor, code) = await Blocking.run {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      return (descriptor, errno)
    }
    guard descriptor >= 0 else { throw .system("open", path, code) }
    let lock = WaitingLock(descriptor: descriptor)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
    guard patience > .zero else { return nil }
    // flock cannot be told how long to wait: a thread does that, and if it gets the lock too late,
    // nobody holds on to it any more.
    let outcome = Outcome()
    let isFirst = queues.withLock { queues in
      defer { queues[path, default: []].append(Waiter(lock: lock, outcome: outcome)) }
      return queues[path] == nil
    }
    if isFirst { Blocking.start { WaitingLock.serve(path) } }
    let timer = Task {
      // Cancelled, it has no more to say.
      guard (try? await sleep(patience)) != nil else { return }
      queues.withLock { _ = $0[path]?.removeAll { $0.outcome === outcome } }
      outcome.settle(nil)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { outcome.wait($0) }
  }

  /// Waits for a file as long as somebody wants it, in the order in which they came.
  private static func serve(_ path: String) {
    while let waiter = next(path) {
      var result: Int32
      repeat { result = flock(waiter.lock.descriptor, LOCK_EX) } while result != 0 && errno == EINTR
      waiter.outcome.settle(result == 0 ? waiter.lock : nil)
    }
  }

  private static func next(_ path: String) -> Waiter? {
    queues.withLock { queues in
      guard queues[path]?.isEmpty == false else {
        queues[path] = nil
        return nil
      }
      return queues[path]?.removeFirst()
    }
  }

  private struct Waiter {
    let lock: WaitingLock
    let outcome: Outcome
  }

  /// Whatever comes first.
  private final class Outcome: Sendable {
    private enum State {
      case open
      case awaited(CheckedContinuation<WaitingLock?, Never>)
      case settled(WaitingLock?)
    }

    private let state = Mutex(State.open)

    func wait(_ continuation: CheckedContinuation<WaitingLock?, Never>) {
      let settled = state.withLock { state -> State in
        defer {
          // Who waits holds it then, and nobody else.
          if case .open = state { state = .awaited(continuation) } else { state = .settled(nil) }
        }
        return state
      }
      if case .settled(let lock) = settled { continuation.resume(returning: lock) }
    }

    func settle(_ lock: WaitingLock?) {
      let awaited = state.withLock { state -> State in
        defer {
          switch state {
          case .open: state = .settled(lock)
          case .awaited: state = .settled(nil)
          case .settled: break
          }
        }
        return state
      }
      if case .awaited(let continuation) = awaited { continuation.resume(returning: lock) }
    }
  }
}
