/// What comes of asking a tracker who it is.
public enum IdentifyNews: Hashable, Sendable {
  /// All but the identifier is known; that is told once its button, or what else its maker has
  /// provided for, was pressed.
  case wantsAction
  /// This is what it tells.
  case known(TrackerIdentity)
}
