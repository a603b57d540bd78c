import CMicroHTTPD
import Glibc
import LunaJSON
import Synchronization

/// How answers are sent: with a body, as a stream, or as the change to another protocol.
extension HTTPListener {
  /// An answer, if it is a stream or an upgrade for which there is room.
  func admit(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
    if let upgrade = response.upgrade { return admitUpgrade(upgrade, response, request) }
    guard let stream = response.events else { return response }
    if request.head.method == "HEAD" {
      stream.ended()
      // The library would send the last chunk of a body that HEAD has not.
      var refusal = HTTPResponse(
        ProblemDocument(405, "method", "The endpoint has no such method."), request: request.id)
      refusal.headers.append(("Allow", "GET"))
      return refusal
    }
    guard !streams.add(stream) else { return response }
    stream.ended()
    let problem = ProblemDocument(
      503, "tooManyStreams", "The server is busy.", detail: "too many streams are open",
      retryAfter: 10)
    return HTTPResponse(problem, request: request.id)
  }

  private func admitUpgrade(
    _ upgrade: HTTPUpgrade, _ response: HTTPResponse, _ request: HTTPRequest
  ) -> HTTPResponse {
    guard request.head.offeredProtocols.contains(upgrade.name.lowercased()) else {
      let problem = ProblemDocument(
        426, "upgradeRequired", "Another protocol is spoken here.", detail: "it is \(upgrade.name)")
      var refusal = HTTPResponse(problem, request: request.id)
      refusal.headers.append(("Upgrade", upgrade.name))
      refusal.headers.append(("Connection", "Upgrade"))
      return refusal
    }
    guard !isStopping.load(ordering: .relaxed), upgrades.reserve(request.id) else {
      let problem = ProblemDocument(
        503, "tooManyUpgrades", "The server is busy.", detail: "too many connections are in use",
        retryAfter: 10)
      return HTTPResponse(problem, request: request.id)
    }
    return response
  }

  /// Begins to send an answer.
  ///
  /// - Returns: false where that is not possible, and the connection ends.
  func send(
    _ response: HTTPResponse, _ exchange: HTTPExchange, _ connection: OpaquePointer
  ) -> Bool {
    if let stream = response.events { return sendStream(stream, exchange, response, connection) }
    if let source = response.source { return sendBody(of: source, exchange, response, connection) }
    return response.upgrade == nil
      ? sendWhole(exchange, response, connection) : sendUpgrade(exchange, response, connection)
  }

  private func sendUpgrade(
    _ exchange: HTTPExchange, _ response: HTTPResponse, _ connection: OpaquePointer
  ) -> Bool {
    // From here on only who takes the connection knows how long it may be silent.
    watch.expect(UInt(bitPattern: connection), within: nil)
    return withHeaders(of: response, exchange) { _, _, headers in
      cmhd_answer_upgrade(connection, settings, headers, headers.count)
    }
  }

  func upgraded(
    _ exchange: HTTPExchange, _ socket: Int32, _ handle: OpaquePointer,
    _ early: UnsafeRawBufferPointer
  ) {
    let connection = UpgradedConnection(
      socket, early: Array(early), handle: handle, transport: exchange.socket)
    let upgrade = exchange.state.withLock { $0.response?.upgrade }
    upgrades.add(connection, of: exchange.id)
    guard let upgrade else { return connection.close() }
    upgrade.taken(connection)
  }

  private func sendStream(
    _ stream: EventStream, _ exchange: HTTPExchange, _ response: HTTPResponse,
    _ connection: OpaquePointer
  ) -> Bool {
    // It may be silent; and whoever does not read is known by what waits.
    watch.expect(UInt(bitPattern: connection), within: nil)
    guard stream.attach(EventLink(connection, watch, activity)) else { return false }
    heartbeats.wake()
    return withHeaders(of: response, exchange) { status, _, headers in
      cmhd_answer_stream(
        connection, status, headers, headers.count, .max,
        Unmanaged.passRetained(stream).toOpaque(),
        { stream, bytes, room in
          let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: room)
          return Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue().read(into: buffer)
            ?? -1
        },
        { Unmanaged<EventStream>.fromOpaque($0).release() })
    }
  }

  private func sendBody(
    of source: BodySource, _ exchange: HTTPExchange, _ response: HTTPResponse,
    _ connection: OpaquePointer
  ) -> Bool {
    watch.expect(UInt(bitPattern: connection), within: source.patience)
    source.begin(on: exchange.socket)
    return withHeaders(of: response, exchange) { status, _, headers in
      cmhd_answer_stream(
        connection, status, headers, headers.count, UInt64(source.length),
        Unmanaged.passRetained(source).toOpaque(),
        { source, bytes, room in
          Unmanaged<BodySource>.fromOpaque(source).takeUnretainedValue()
            .next(into: UnsafeMutableRawBufferPointer(start: bytes, count: room))
        },
        { Unmanaged<BodySource>.fromOpaque($0).release() })
    }
  }

  /// Answers a request of which no more is read: the connection ends with it.
  func refuse(
    _ exchange: HTTPExchange, _ problem: ProblemDocument, _ connection: OpaquePointer
  ) {
    var response = HTTPResponse(problem, request: exchange.id)
    response.closes = true
    observer(exchange, response)
    exchange.state.withLock { $0.response = response }
    // The library has an answer already where it does not understand the length of the body either.
    if !sendWhole(exchange, response, connection) {
      withHeaders(of: response, exchange) { status, body, headers in
        cmhd_answer_instead(
          connection, status, body.baseAddress, body.count, headers, headers.count)
      }
    }
  }

  private func sendWhole(
    _ exchange: HTTPExchange, _ response: HTTPResponse, _ connection: OpaquePointer
  ) -> Bool {
    watch.expect(UInt(bitPattern: connection), within: limits.bodyPatience)
    return withHeaders(of: response, exchange) { status, body, headers in
      cmhd_answer(connection, status, body.baseAddress, body.count, headers, headers.count)
    }
  }

  /// Lends status, body and headers of an answer as the library takes them.
  private func withHeaders<Result>(
    of response: HTTPResponse, _ exchange: HTTPExchange,
    _ send: (UInt32, UnsafeRawBufferPointer, [cmhd_header]) -> Result
  ) -> Result {
    var lines =
      response.headers + [
        ("X-Request-Id", exchange.id), ("X-Content-Type-Options", "nosniff"),
      ]
    if !lines.contains(where: { $0.name == "Cache-Control" }) {
      lines.append(("Cache-Control", "no-store"))
    }
    if response.closes { lines.append(("Connection", "close")) }
    var headers: [cmhd_header] = []
    defer {
      for header in headers {
        free(UnsafeMutablePointer(mutating: header.name))
        free(UnsafeMutablePointer(mutating: header.value))
      }
    }
    for line in lines {
      guard let name = strdup(line.name), let value = strdup(line.value) else { continue }
      headers.append(cmhd_header(name: name, value: value))
    }
    return response.body.withUnsafeBytes { send(UInt32(response.status), $0, headers) }
  }
}
