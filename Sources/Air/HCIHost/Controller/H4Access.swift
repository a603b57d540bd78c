import Bluetooth
import EventLoop

/// A controller behind TCP, a Unix socket or a serial line.
struct H4Access: ControllerSession.Access {
  let address: H4Address

  func open(on reactor: Reactor) async throws(SourceError) -> sending HCIChannel {
    let connection = try await H4Connection.open(address)
    return HCIChannel(
      connection.descriptor, connection.isRecording ? .recording : .stream, on: reactor)
  }

  func close() async {}

  var adapter: UInt16? { nil }
  var name: String { "h4:\(address)" }
}
