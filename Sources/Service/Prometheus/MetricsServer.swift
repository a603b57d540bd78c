import EventLoop
public import HTTPServer

/// A page for Prometheus: `GET /metrics`, and nothing else.
public final class MetricsServer: Sendable {
  private let listener: HTTPListener

  /// - Parameter page: gives what the page shows now.
  public init(_ page: @escaping @Sendable () -> MetricsText) {
    listener = HTTPListener { MetricsServer.answer($0.head, page) }
  }

  static func answer(_ head: HTTPHead, _ page: () -> MetricsText) -> HTTPResponse {
    guard head.path == "/metrics" else { return HTTPResponse(404, nil, []) }
    guard ["GET", "HEAD"].contains(head.method) else {
      var response = HTTPResponse(405, nil, [])
      response.headers.append(("Allow", "GET, HEAD"))
      return response
    }
    return HTTPResponse(200, MetricsText.mediaType, Array(page().text.utf8))
  }

  /// Starts to serve.
  ///
  /// - Returns: where, with the port that it got.
  public func start(on address: ListenAddress) async throws(ServerError) -> ListenAddress {
    let listener = listener
    // A name may have to be looked up.
    return try await Blocking.run { () throws(ServerError) in try listener.start(on: address) }
  }

  /// Ends.
  public func stop() async { _ = await listener.stop(within: .seconds(1)) }
}
