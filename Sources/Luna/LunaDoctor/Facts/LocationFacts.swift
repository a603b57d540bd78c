import LunaCore
import LunaLocation

/// What a location source told in the time that it was given.
struct LocationFacts: Hashable, Sendable {
  var choice: LocationChoice
  /// How it is called: `gpsd at localhost:2947`.
  var name: String
  /// The fix, or else the last that it said; nil when it said nothing.
  var update: LocationUpdate?
  /// How long it was waited for, s.
  var seconds: Int64
}
