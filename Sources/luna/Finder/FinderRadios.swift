import BlueZ
import Bluetooth
import LunaTracker

/// Makes the radios of `luna finder`, for either duty.
struct FinderRadios: Sendable {
  let listen: ListenOptions
  let state: String
  let diagnostics: Diagnostics

  func make(_ mode: ScanMode) throws -> Radio {
    if let radio = try listen.makeVirtualRadio(state: state, diagnostics) { return radio }
    guard case .path(let path) = listen.radio ?? .path(.auto) else {
      throw CommandFailure(.usage, "luna finder cannot use this radio")
    }
    return try makeRadio(
      path, options: ScanOptions(adapters: listen.adapters, mode: mode, phys: Set(listen.phys)))
  }
}
