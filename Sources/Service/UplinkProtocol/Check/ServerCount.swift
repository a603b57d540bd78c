/// What a server says that it has counted of the slots of a check, beside what was sent to it (UPLINK.md, 13).
package struct ServerCount: Sendable {
  /// How far it may count other bytes than we do, as a share.
  private static let tolerance = 0.05

  private var own = 0
  private var server = 0
  private var isBehind = false

  /// Nothing was sent yet.
  package init() {}

  /// Whether it is worth asking again, since the server has counted less than it has acknowledged: one that is busy has
  /// not read it yet. Once that was in vain, it is so no more.
  package func isEarly(_ counted: Int, of arrived: ClosedRange<Int>) -> Bool {
    !isBehind && ServerCount.isLess(counted, than: arrived)
  }

  /// Adds a slot. Of one that was broken off, what was on its way then may have come when the server is asked, and need
  /// not: only what cannot be is a difference.
  ///
  /// - Parameter arrived: how many bytes the server may have.
  package mutating func add(_ counted: Int, of arrived: ClosedRange<Int>) {
    own += min(max(counted, arrived.lowerBound), arrived.upperBound)
    server += counted
    if ServerCount.isLess(counted, than: arrived) { isBehind = true }
  }

  /// Whether both have counted other bytes.
  package var isDisputed: Bool {
    Double(abs(own - server)) > ServerCount.tolerance * Double(own)
  }

  private static func isLess(_ counted: Int, than arrived: ClosedRange<Int>) -> Bool {
    Double(counted) < Double(arrived.lowerBound) * (1 - tolerance)
  }
}
