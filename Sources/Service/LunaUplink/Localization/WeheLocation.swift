package import UplinkProtocol

/// What a localization by servers of Wehe's came to.
package struct WeheLocation: Sendable {
  /// What the first server says.
  package let answer: LocalizeAnswer
  /// What the replays with each server say.
  package let comparisons: [ReplayComparison]
  /// The addresses of the servers.
  package let servers: [String]
}
