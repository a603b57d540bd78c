import Diagnosis
import EventLoop
import Glibc
package import LunaCore
import Synchronization

/// Keeps other processes, and others in this one, from something for as long as it lives: whoever comes
/// meanwhile waits. The system gives it back when the process ends, however that ends.
package final class WaitingLock: Sendable {
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
    Blocking.start {
      while flock(lock.descriptor, LOCK_EX) != 0, errno == EINTR {}
      outcome.settle(lock)
    }
    let timer = Task {
      // Cancelled, it has no more to say.
      guard (try? await sleep(patience)) != nil else { return }
      outcome.settle(nil)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { outcome.wait($0) }
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
