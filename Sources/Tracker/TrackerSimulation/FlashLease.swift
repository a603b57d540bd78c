import LunaTracker
import Synchronization

/// A lock of a flash that is let go at the latest when nobody refers to it.
final class FlashLease: Sendable {
  private let lock: Mutex<FlashLock?>

  init(_ lock: FlashLock) { self.lock = Mutex(lock) }

  deinit { end() }

  /// Whether the flash is ours.
  var isHeld: Bool { lock.withLock { $0 != nil } }

  /// Lets others have it.
  func end() {
    lock.withLock { lock in
      lock?.release()
      lock = nil
    }
  }
}
