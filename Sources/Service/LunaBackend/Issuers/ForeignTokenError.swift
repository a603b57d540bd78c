/// Why nobody can say whose a token of others is.
enum ForeignTokenError: Error, Hashable {
  /// It is not good, for this reason.
  case invalid(String)
  /// Its issuer cannot be asked just now, for this reason.
  case unavailable(String)
}
