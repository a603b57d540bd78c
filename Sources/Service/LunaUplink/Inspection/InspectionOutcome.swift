package import UplinkProtocol

/// How far an inspection has come.
package struct InspectionOutcome: Sendable {
  /// It.
  package internal(set) var inspection: Inspection
  /// How many slots were made.
  package private(set) var slots = 0
  /// How many bytes of data the links carried, both ways together.
  package private(set) var bytes = 0
  /// How many bytes on the link replays took.
  package private(set) var used: Int64 = 0
  /// How long the slots took, s.
  package private(set) var seconds = 0.0
  /// What ended it before its time; nil where nothing did.
  package private(set) var failure: ReplayError?

  /// Whether somebody has ended it.
  package var isCancelled: Bool { failure?.kind == .cancelled }

  init(_ inspection: Inspection) { self.inspection = inspection }

  /// Takes what came of a slot.
  ///
  /// - Parameter used: how many bytes on the link that took; 0 where nobody has counted.
  mutating func take(_ record: SlotRecord, used: Int64 = 0) {
    slots += 1
    bytes += record.carried
    self.used += used
    seconds += record.seconds
    inspection.take(record.speed)
  }

  /// Ends with a replay that came to nothing.
  ///
  /// - Parameter used: how many bytes on the link that took, or may have taken.
  mutating func end(_ failure: ReplayError, used: Int64) {
    self.failure = failure
    self.used += used
  }
}
