/// What an account of a home may do; each role may do what those before it may.
package enum HomeRole: String, CaseIterable, Comparable, Sendable {
  /// Sees the trackers that it was given.
  case guest
  /// Sees and uses all trackers; has places and rules.
  case member
  /// Looks after accounts and settings.
  case owner

  private var rank: Int {
    switch self {
    case .guest: 0
    case .member: 1
    case .owner: 2
    }
  }

  /// Orders by what one may do.
  package static func < (left: HomeRole, right: HomeRole) -> Bool { left.rank < right.rank }
}
