/// From where on the original takes what a server of Wehe's says of a place for something (UPLINK.md, 9).
package struct LocalizeLevels: Hashable, Sendable {
  /// Below this probability both servers together are like one alone.
  package var variation = 0.05
  /// Below this probability losses go along with each other.
  package var loss = 0.05
  /// In so many of all lengths of intervals, as a share.
  package var share = 0.5

  /// The usual ones.
  package init() {}
}
