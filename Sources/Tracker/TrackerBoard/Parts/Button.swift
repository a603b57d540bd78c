/// A button whose contacts bounce: it counts as pressed, and as released, once it has been so for a moment.
package struct Button: Hashable, Sendable {
  /// How long it must not change, ms.
  package static let settling: Int64 = 20

  /// Whether it counts as pressed.
  package private(set) var isDown = false
  /// Since when its contacts say otherwise.
  private var changedAt: Int64?

  /// A button that nobody presses.
  package init() {}

  /// The contacts were seen closed or open.
  package mutating func see(_ isClosed: Bool, at uptime: Int64) {
    if isClosed == isDown {
      changedAt = nil
    } else if changedAt == nil {
      changedAt = uptime
    }
  }

  /// When ``tick(at:)`` has to be called.
  package var deadline: Int64? { changedAt.map { $0 + Button.settling } }

  /// Time has passed.
  ///
  /// - Returns: whether it is pressed, when that has changed.
  package mutating func tick(at uptime: Int64) -> Bool? {
    guard let deadline, uptime >= deadline else { return nil }
    changedAt = nil
    isDown.toggle()
    return isDown
  }
}
