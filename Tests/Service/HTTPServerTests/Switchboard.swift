import Synchronization

@testable import HTTPServer

/// A server that speaks another protocol on `/line`, and has a word for who asks for anything else.
final class Switchboard: Sendable {
  let address: ListenAddress
  let listener: HTTPListener
  private let line: AsyncStream<UpgradedConnection>

  init(upgrades: Int = 8) throws {
    let (line, taken) = AsyncStream.makeStream(of: UpgradedConnection.self)
    self.line = line
    var limits = HTTPLimits()
    limits.upgrades = upgrades
    listener = HTTPListener(limits: limits) { request in
      guard request.head.path == "/line" else {
        return HTTPResponse(200, "text/plain", Array("word".utf8))
      }
      return HTTPResponse(
        upgrade: HTTPUpgrade(to: "echo") { taken.yield($0) }, headers: [("Echo-Pitch", "a")])
    }
    address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
  }

  /// Who asks for the line, and what else is in its request.
  func client(_ headers: String = "Connection: Upgrade\r\nUpgrade: echo\r\n") throws -> Client {
    let client = try Client(address)
    client.get("/line", headers)
    return client
  }

  /// The next one that was put through.
  func next() async -> UpgradedConnection? {
    for await connection in line { return connection }
    return nil
  }
}
