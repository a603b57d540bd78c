import BlueZ
import Bluetooth
import Captures
import LunaBuzzer
import LunaCore
import LunaFinder
import LunaProtocol
import LunaTracker

/// Makes the radios of `luna finder`, for either duty.
struct FinderRadios: Sendable {
  let listen: ListenOptions
  let state: String
  let diagnostics: Diagnostics
  let time: ProtocolTime

  func make(_ duty: ScanDuty) throws -> FinderRadio {
    if let path = listen.readPath {
      return FinderRadio(source: CaptureFileSource(path: path, realtime: listen.realtime))
    }
    if let radio = try listen.makeVirtualRadio(state: state, diagnostics) {
      return connecting(radio)
    }
    guard case .path(let path) = listen.radio ?? .path(.auto) else {
      throw CommandFailure(.usage, "this radio is not for luna finder")
    }
    var options = ScanOptions(
      adapters: listen.adapters, mode: listen.mode, phys: Set(listen.phys))
    if duty == .sparse { options.mode = .passive }
    return connecting(try makeRadio(path, options: options))
  }

  private func connecting(_ radio: Radio) -> FinderRadio {
    let configuration = BuzzerConfiguration(protocolTime: { [time] in time($0) })
    return FinderRadio(
      source: radio.source,
      runner: LunaBuzzer(client: radio.client, configuration: configuration),
      close: { await radio.client.close() })
  }
}
