import BlueZ
public import Bluetooth
public import LunaClient
public import LunaCore
public import LunaLocation
public import LunaStore

/// What a ``Doctor`` looks at, in the terms of the program that wants to know.
public struct DoctorSettings: Sendable {
  /// The radio that is to work: by default the best path to the first adapter. With a controller of
  /// the program's own, a recording or a simulated room, the machine's adapters do not matter.
  public var radio: any RadioProvider = AdapterRadio()
  /// Where the machine is said to be found out; nil where nobody wants to know.
  public var location: LocationChoice?
  /// The backend; nil where there is none.
  public var backend: ClientConfiguration?
  /// As whom the backend is spoken to.
  public var role = TokenSource.Role.gateway
  /// The token; nil for ``LunaClient/TokenSource/standard(_:in:)`` in the state directory.
  public var token: TokenSource?
  /// Where state is kept; nil for the usual directory.
  public var state: StateDirectory?
  /// How long the last check listens.
  public var listening = Duration.seconds(5)
  /// The clocks of what is waited for; a test has others.
  public var clock = WallClock.system

  /// The first adapter, without a location and a backend.
  public init() {}

  /// The adapters that are asked for, when it is the machine's that matter; nil otherwise.
  var adapters: [AdapterSelector]? {
    guard let radio = radio as? AdapterRadio else { return nil }
    if case .h4 = radio.path { return nil }
    return radio.options.adapters
  }

  /// Where state is.
  func directory() throws(DeviceStoreError) -> StateDirectory {
    if let state { return state }
    return try .standard()
  }

  /// How the radio is called.
  var radioName: String {
    switch radio.air {
    case .real: (radio as? AdapterRadio)?.path.description ?? "a radio of its own"
    case .simulated: "a simulated room"
    case .recorded: "a recording"
    }
  }
}
