public import Bluetooth
public import LunaCore

/// Something that happened to a device in the vicinity.
public struct LocalUpdate: Sendable {
  /// What happened. The raw values are the words of JSON lines.
  public enum Event: String, CaseIterable, Sendable {
    /// It is heard for the first time, or again after it timed out.
    case appeared
    /// It is heard, and nothing else has changed.
    case seen
    /// It shows another identifier.
    case rotated
    /// It has not been heard for too long.
    case timedOut
    /// Something new is known of its clock: it is outside the expected time, or believed to have
    /// been set.
    case drift
    /// Its battery is low: said in a frame that is told of as well, and once until it was not low.
    case batteryLow

    /// Whether there is one for each frame that is heard.
    package var isFrame: Bool { self != .timedOut && self != .batteryLow }
  }

  /// What happened.
  public let event: Event
  /// To whom.
  public let device: LocalDevice
  /// What was known of it right then.
  public let state: LocalDevice.State
  /// The nearest time at which an exact clock would have shown the identifier; nil when this was no
  /// frame with an identifier of a tracked device.
  public let expectedAt: Timestamp?
  /// The time of reception less `expectedAt`, s; positive when the tracker is late.
  public let drift: Double?
}
