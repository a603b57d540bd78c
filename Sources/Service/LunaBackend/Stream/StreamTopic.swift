/// What one can listen to.
enum StreamTopic: String, CaseIterable, Sendable {
  /// Records of gateways, as they are after each change.
  case gateway
  /// In what state gateways are, and how bad it is with them.
  case state
  /// The numbers of gateways that somebody watches.
  case health
  /// What dashboards show of the moment.
  case dashboard
  /// One's own session, or token: that it is over.
  case session
  /// That changes were left out: what one has is to be asked for anew.
  case reset
}
