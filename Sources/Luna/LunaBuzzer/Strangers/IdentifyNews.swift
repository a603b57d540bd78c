/// What comes of asking a tracker who it is.
public enum IdentifyNews: Hashable, Sendable {
  /// All but the identifier is known; that is told once its button, or what else its maker has
  /// provided for, was pressed.
  case wantsAction
  /// The time is over before all was asked; what is known by now follows.
  case outOfTime
  /// This is what it tells.
  case known(TrackerIdentity)
}
