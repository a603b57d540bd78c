/// One thing that a ``Doctor`` looks at. The raw value is its name.
public enum Check: String, CaseIterable, Hashable, Sendable {
  /// Bluetooth sockets can be had, which are there in the machine's own network namespace only.
  case namespace
  /// There is an adapter, the one that was asked for, and it has Bluetooth LE.
  case adapter
  /// It is switched on.
  case power
  /// No switch blocks it.
  case rfkill
  /// bluetoothd runs and answers.
  case bluetoothd
  /// The system bus is there, and its policy lets this user speak to bluetoothd.
  case dbus
  /// What this process may do, and which radio paths follow from it.
  case capabilities
  /// The kernel and its driver have none of the faults that are known.
  case kernel
  /// The adapter's USB device is not suspended while it scans.
  case autosuspend
  /// Nobody else uses the adapter in a way that is in ours.
  case scanner
  /// The clock is kept right, and agrees with the backend's.
  case clock
  /// The location source knows where this machine is.
  case location
  /// The backend is there, can be trusted, and knows the token.
  case backend
  /// What waits for the backend does not wait for long.
  case queue
  /// There is room for state, and it can be written.
  case disk
  /// The state directory belongs to this user, and what is in it can be read.
  case state
  /// The services of Luna run, and are of this version.
  case units
  /// Advertisements are heard.
  case listen

  /// What it looks at, for a list.
  public var summary: String {
    switch self {
    case .namespace: "Bluetooth sockets can be had (not in every container)"
    case .adapter: "there is an adapter with Bluetooth LE"
    case .power: "the adapter is on"
    case .rfkill: "no switch blocks it"
    case .bluetoothd: "bluetoothd runs and answers; its version"
    case .dbus: "the system bus is there and lets this user speak to bluetoothd"
    case .capabilities: "what this program may do, and which radio paths follow"
    case .kernel: "known faults of this kernel and its driver"
    case .autosuspend: "the USB device is not suspended while it scans"
    case .scanner: "who else uses the adapter"
    case .clock: "the clock is right, and agrees with the backend's"
    case .location: "the location source has a fix"
    case .backend: "the backend can be reached and trusted, and knows the token"
    case .queue: "how much waits for the backend, and for how long"
    case .disk: "there is room for state, and it can be written"
    case .state: "the state directory's owner and mode; its databases can be read"
    case .units: "the services of Luna run and are of this version"
    case .listen: "a short scan: how many advertisers are heard"
    }
  }

  /// How long it may take before it counts as not to be found out; `listen` besides the time for which
  /// it listens.
  var limit: Duration { self == .listen ? .seconds(20) : .seconds(12) }
}
