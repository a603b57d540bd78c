import Synchronization

/// Rings the bells of all who want to know of something, for as long as they have them.
public final class BellRope: Sendable {
  private struct Hung: Sendable {
    weak var bell: Bell?
  }

  private let bells = Mutex<[Hung]>([])

  /// Nobody wants to know yet.
  public init() {}

  /// Rings this one as well from now on.
  public func add(_ bell: Bell) {
    bells.withLock { bells in
      bells.removeAll { $0.bell == nil }
      bells.append(Hung(bell: bell))
    }
  }

  /// Whether nobody wants to know any more.
  public var isFree: Bool { bells.withLock { $0.allSatisfy { $0.bell == nil } } }

  /// Rings all bells that somebody still has, one after the other.
  public func pull() {
    for hung in bells.withLock({ $0 }) { hung.bell?.ring() }
  }
}
