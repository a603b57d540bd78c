/// What an account, or a token of an admin, may do. Each role may do what those before it may.
public enum AccountRole: String, CaseIterable, Comparable, Sendable {
  /// Reads.
  case viewer
  /// Changes gateways and devices.
  case `operator`
  /// Looks after accounts, tokens and settings.
  case admin

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .operator: 1
    case .admin: 2
    }
  }

  /// Orders by what one may do.
  public static func < (left: AccountRole, right: AccountRole) -> Bool { left.rank < right.rank }
}
