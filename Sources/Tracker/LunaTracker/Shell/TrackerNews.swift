public import Bluetooth
public import LunaProtocol
public import TrackerMachine

/// What a running tracker tells of itself.
public struct TrackerNews: Sendable {
  /// What happened.
  public enum Event: Sendable {
    /// The tracker has its power.
    case started(OnboardingState, isClockUncertain: Bool)
    /// Another period is on air, with everything that goes with it.
    case rotated(TrackerAdvertisement)
    /// The mode or the region changed.
    case mode(AdvertisingSlot.Mode, region: Int?)
    /// Connections are accepted from now on, or no longer.
    case connectable(Bool)
    /// Somebody connected; from which address, where that is known.
    case connected(BluetoothAddress?)
    /// The connection is gone.
    case disconnected
    /// The sound begins, anew when it sounds already, for so many seconds; or ends (nil).
    case sound(seconds: Int?)
    /// The light begins to blink for so many seconds, or stops (nil).
    case light(seconds: Int?)
    /// The state changed.
    case state(OnboardingState)
  }

  /// The name of the tracker.
  public let tracker: String
  /// The time of the host, Unix ms.
  public let time: Int64
  /// What the tracker's clock shows, ms.
  public let clock: Int64
  /// What happened.
  public let event: Event
  package init(tracker: String, time: Int64, clock: Int64, event: Event) {
    self.tracker = tracker
    self.time = time
    self.clock = clock
    self.event = event
  }
}
