/// What a token is for. Each kind opens only what it is for.
public enum TokenRole: String, CaseIterable, Sendable {
  /// Uploads events and carries out commands.
  case gateway
  /// Fetches events and gives commands.
  case owner
  /// Looks after the fleet.
  case admin
}
