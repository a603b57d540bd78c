/// What a server of ours takes (UPLINK.md, 7.3).
package struct HostLimits: Hashable, Sendable {
  /// How many sessions run at once; one for an address, and one for a token.
  package var running = 64
  /// How many wait.
  package var waiting = 16
  /// How long one may wait, s.
  package var waitingSeconds = 600.0
  /// How long one may run, s.
  package var sessionSeconds = 600.0
  /// How many bytes one may have.
  package var sessionBytes = 200_000_000
  /// How many bytes those of a token may have in a day.
  package var dailyBytes = 2_000_000_000
  /// How many bytes all of them may have in a second: 500 Mbit/s.
  package var bytesPerSecond = 62_500_000.0
  /// How long the first message may take, s.
  package var firstSeconds = 10.0
  /// How long a client may say nothing, s.
  package var silentSeconds = 60.0
  /// How long a token of a slot holds, s.
  package var tokenSeconds = 10.0

  /// The usual ones.
  package init() {}
}
