/// What a location source has to say.
public enum LocationUpdate: Hashable, Sendable {
  /// A position that may be used.
  case fix(LocationFix)
  /// A position that may not be used, and why.
  case refused(LocationRefusal)
  /// Nothing comes at present, and why; the source goes on trying.
  case unavailable(String)
}
