/// Who may call an endpoint.
enum Access: Hashable, Sendable {
  /// Everybody.
  case open
  /// Holders of a token of this kind.
  case only(TokenRole)
}
