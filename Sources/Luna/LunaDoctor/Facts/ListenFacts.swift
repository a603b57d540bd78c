import BlueZ
import Bluetooth

/// What a short scan brought.
struct ListenFacts: Sendable {
  /// How the radio is called, and what it said that it does.
  var name: String
  var explanation = ""
  /// How many advertisers were heard, and how many advertisements.
  var advertisers = 0
  var reports = 0
  /// How long was listened, s.
  var seconds: Int64
  /// Why nothing could be heard; nil where it could.
  var error: SourceError?
  /// What the monitor channel told meanwhile.
  var neighbours = NeighbourSurvey(couldListen: false)
}
