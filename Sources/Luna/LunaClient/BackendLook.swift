import EventLoop
import LunaCore
import Synchronization

/// What asks whether a backend is there, beside the requests to it: one of those that is under way may take longer
/// than who asks that can wait. Most who talk to a backend never ask: the connection and its thread are made when
/// somebody does.
final class BackendLook: Sendable {
  private struct Line: Sendable {
    let exchange: HTTPExchange
    let blocking = Blocking(name: "luna.client.look")
  }

  private let configuration: ClientConfiguration
  private let line = Mutex<Line?>(nil)

  init(_ configuration: ClientConfiguration) { self.configuration = configuration }

  /// Whether somebody has asked.
  var isOpen: Bool { line.withLock { $0 != nil } }

  /// Asks `url`, with nothing that tells who does.
  func perform(
    _ url: String, within limit: Duration?
  ) async throws(BackendError) -> HTTPExchange.Answer {
    let line = try open()
    return await line.blocking.run {
      line.exchange.perform("GET", url, headers: [], secrets: [], body: nil, limit: limit)
    }
  }

  private func open() throws(BackendError) -> Line {
    try line.withLock { line throws(BackendError) -> Line in
      if let line { return line }
      let new = Line(exchange: try BackendClient.exchange(configuration))
      line = new
      return new
    }
  }
}
