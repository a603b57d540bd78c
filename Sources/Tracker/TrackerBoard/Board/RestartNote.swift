/// What a board keeps beside its clock, for when it starts again without a power cut.
package struct RestartNote: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No time is missing from the clock: the board started again by itself. Who was reset, by the watchdog or by hand,
  /// kept a clock that is behind by the time since, up to ``Watchdog/timeout``.
  package static let clockIsExact = RestartNote(rawValue: 1 << 0)
  /// The board has had a fault since its power came.
  package static let hadFault = RestartNote(rawValue: 1 << 1)
}
