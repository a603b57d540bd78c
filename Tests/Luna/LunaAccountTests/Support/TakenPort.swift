import Glibc
import LunaTesting

/// A port of loopback at which nobody answers, and which nobody else gets meanwhile.
final class TakenPort: Sendable {
  private let descriptor: Int32

  init(_ port: UInt16) { descriptor = loopbackSocket(port, isAnew: true)?.descriptor ?? -1 }

  deinit { close(descriptor) }
}
