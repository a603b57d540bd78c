/// What the fleet knows of the holder of a gateway's token.
enum GatewayStanding: Sendable {
  /// It has no record yet.
  case unknown
  /// It has one.
  case present
  /// It has one that was removed: its tokens are not good until that is undone.
  case removed
}
