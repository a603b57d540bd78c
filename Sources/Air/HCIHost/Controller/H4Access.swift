package import Bluetooth
package import EventLoop

/// A controller behind TCP, a Unix socket or a serial line.
package struct H4Access: ControllerAccess {
  let address: H4Address

  package init(address: H4Address) { self.address = address }

  package func open(on reactor: Reactor) async throws(SourceError) -> sending HCIChannel {
    let connection = try await H4Connection.open(address)
    return HCIChannel(
      connection.descriptor, connection.isRecording ? .recording : .stream, on: reactor)
  }

  package func close() async {}

  package var adapter: UInt16? { nil }
  package var name: String { "h4:\(address)" }
}
