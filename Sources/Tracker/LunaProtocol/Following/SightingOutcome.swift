/// What became of a sighting (PROTOCOL.md, 11.2 and 11.3).
public enum SightingOutcome: String, Sendable {
  /// Older than what is known: ignored.
  case older
  /// In the expected window, and nothing new.
  case unchanged
  /// In the expected window, which it narrowed.
  case updated
  /// Outside the window, and its status does not verify: ignored.
  case rejected
  /// Outside the window: kept on the provisional track.
  case provisional
  /// Outside the window, and enough of them agree: the track is the clock now.
  case promoted
}
