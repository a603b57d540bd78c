public import Bluetooth
public import LunaProtocol
import Synchronization

/// A device in the vicinity, one's own or a foreign tracker: the same object through all changes of
/// its identifier and address. `LunaLocal` makes and updates it; every property may be read from any
/// thread.
public final class LocalDevice: Sendable, Identifiable {
  /// All that is known of the device at one moment.
  public struct State: Sendable {
    /// Which of one's own devices it is; nil for foreign ones.
    public var uuid: DeviceUUID?
    /// Of which family it is: its keys say so, or for a foreign one its frames.
    public var kind: DeviceKind
    /// What the owner calls it.
    public var name: String?
    /// The address that was heard last.
    public var address: BluetoothAddress?
    /// What kind of address that is.
    public var addressType = AddressType.absent
    /// The identifier on the air, lower-case hexadecimal digits.
    public var eid: String?
    /// Under which reports about it are stored in this period; 32 digits.
    public var heid: String?
    /// The number of the present period; nil for foreign devices.
    public var period: UInt32?
    /// Whether it has been silent for too long; nil until it is heard.
    public var timedOut: Bool?
    /// Whether its battery is low; nil when it does not tell, or not to us.
    public var batteryLowLevel: Bool?
    /// Whether it accepts connections now.
    public var connectable: Bool?
    /// Whether it says that it has not met its owner for a while.
    public var separated: Bool?
    /// Whether it waits to be onboarded.
    public var onboardable = false
    /// The status in the last frame, as it was heard (PROTOCOL.md, 7).
    public var esf: ESF?
    /// The hint to the onboarding code, while it waits to be onboarded.
    public var onboardingHint: ESF? { onboardable ? esf : nil }
    /// When it was heard first in this scan.
    public var firstSignalDate: Timestamp?
    /// When it was heard last.
    public var lastSeenDate: Timestamp?
    /// How strong it was heard last, dBm; of several adapters, by the one that hears it best.
    public var rssi: Double?
    /// Which adapter that is.
    package var signal = SignalChoice()
    /// The last 256 identifiers, each once, the newest at the end.
    public var timestampedEids: [TimestampedEid] = []
    /// What is known of its clock; nil for foreign devices and those whose identifiers follow none.
    public var clock: ClockBounds?
    /// Whether it was heard outside the time that is expected of its clock, and not often enough to
    /// be believed: it may be a recording that somebody plays (PROTOCOL.md, 11.3).
    public var isProvisional = false
    /// Whether what it says in the clear differs from what it says in its encrypted status.
    public var flagsDiffer = false
    /// That status; nil when it does not tell, or not to us.
    package var status: TrackerStatus?

    /// A device that was not heard yet.
    public init(uuid: DeviceUUID? = nil, kind: DeviceKind, name: String? = nil) {
      self.uuid = uuid
      self.kind = kind
      self.name = name
    }
  }

  /// The number of identifiers that are kept.
  public static let eidCount = 256

  private let state: Mutex<State>
  private let rope = BellRope()

  /// A device of which this much is known; `LunaLocal` makes those that are told.
  public init(_ state: State) { self.state = Mutex(state) }

  /// All that is known now, of one moment.
  public var snapshot: State { state.withLock { $0 } }

  /// Changes what is known, at once for all readers.
  package func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    defer { rope.pull() }
    return state.withLock { body(&$0) }
  }

  /// Rings a bell whenever something is heard of it, for as long as somebody has the bell.
  public func tell(_ bell: Bell) { rope.add(bell) }

  /// Which of one's own devices it is; nil for foreign ones.
  public var uuid: DeviceUUID? { state.withLock { $0.uuid } }
  /// What the owner calls it.
  public var name: String? { state.withLock { $0.name } }
  /// Under which reports about it are stored in this period.
  public var heid: String? { state.withLock { $0.heid } }
  /// The identifier on the air, lower-case hexadecimal digits.
  public var eid: String? { state.withLock { $0.eid } }
  /// Whether it has been silent for too long; nil until it is heard.
  public var timedOut: Bool? { state.withLock { $0.timedOut } }
  /// Whether its battery is low; nil when it does not tell, or not to us.
  public var batteryLowLevel: Bool? { state.withLock { $0.batteryLowLevel } }
  /// Whether it accepts connections now.
  public var connectable: Bool? { state.withLock { $0.connectable } }
  /// When it was heard last.
  public var lastSeenDate: Timestamp? { state.withLock { $0.lastSeenDate } }
  /// When it was heard first in this scan.
  public var firstSignalDate: Timestamp? { state.withLock { $0.firstSignalDate } }
  /// How strong it was heard last, dBm.
  public var rssi: Double? { state.withLock { $0.rssi } }
  /// The last 256 identifiers, each once, the newest at the end.
  public var timestampedEids: [TimestampedEid] { state.withLock { $0.timestampedEids } }
  /// The address that was heard last; the uuid of a device that was not heard yet.
  public var identifier: String { snapshot.identifier }
  /// Whether it waits to be onboarded.
  public var onboardable: Bool { state.withLock { $0.onboardable } }
  /// What is known of its clock.
  public var clock: ClockBounds? { state.withLock { $0.clock } }
}

extension LocalDevice.State {
  /// The address that was heard last; the uuid of a device that was not heard yet.
  public var identifier: String {
    if let address, addressType.hasAddress { return address.description }
    return uuid?.description ?? eid ?? "anonymous"
  }
}
