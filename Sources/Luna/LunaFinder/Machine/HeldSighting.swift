import LunaProtocol

/// A frame that was heard while the clock showed no time that can be.
struct HeldSighting: Hashable, Sendable {
  /// How many are held; then the oldest go.
  static let limit = 1000

  let heard: HeardFrame
  /// Where; the time is set when it is known.
  var location: ReportedLocation
  /// When, by the clock that only goes on.
  let elapsed: Duration
  let isDoubtful: Bool
}
