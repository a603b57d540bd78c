import CMicroHTTPD
import Glibc
import LunaCore
import Synchronization

/// The shell around libmicrohttpd: takes requests apart, and hands them to a task each while their
/// connection is suspended, so that the library's threads never wait.
final class HTTPListener: @unchecked Sendable {
  typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
  /// What is told of an answer: to which request, and how long it took.
  typealias Observer = @Sendable (Exchange, HTTPResponse) -> Void

  private let limits: HTTPLimits
  private let handler: Handler
  private let observer: Observer
  private let watch: ConnectionWatch
  private let bodies = Atomic(0)
  private let working = Atomic(0)
  private let unfinished = Atomic(0)
  private let isStopping = Atomic(false)
  // Set before the first request and taken away after the last.
  private let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
  private var server: OpaquePointer?

  init(limits: HTTPLimits, observer: @escaping Observer, handler: @escaping Handler) {
    self.limits = limits
    self.observer = observer
    self.handler = handler
    watch = ConnectionWatch(limit: limits.connectionsPerAddress)
  }

  deinit { settings.deallocate() }

  /// How many connections there are.
  var connections: Int { watch.count }
  /// How many requests are being worked on.
  var requests: Int { working.load(ordering: .relaxed) }
  /// Whether there are requests that are being received, worked on or answered.
  var isBusy: Bool { unfinished.load(ordering: .relaxed) > 0 || requests > 0 }

  // MARK: Start and end

  func start(on socket: Int32, threads: Int, tls: TLSFiles?) throws(ServerError) {
    if let problem = cmhd_load() {
      throw ServerError(
        .library, "the HTTP library is missing: \(String(cString: problem))",
        hint: "apt-get install libmicrohttpd12")
    }
    // The library keeps what it reads from these.
    let texts = tls.map { [strdup($0.certificate), strdup($0.key)] }
    settings.initialize(
      to: cmhd_settings(
        listening_socket: socket, threads: UInt32(threads), connections: UInt32(limits.connections),
        seconds_of_patience: UInt32(limits.idlePatience.components.seconds),
        memory: limits.headMemory, certificate: UnsafePointer(texts?[0]),
        key: UnsafePointer(texts?[1]), context: Unmanaged.passUnretained(self).toOpaque(),
        handlers: HTTPListener.handlers))
    guard let server = cmhd_start(settings) else {
      throw tls == nil
        ? ServerError(.failed, "the HTTP server cannot start", hint: "look at: ulimit -n")
        : ServerError(
          .certificate, "the HTTP server does not take the certificate and its key",
          hint: "both are PEM; compare them with: openssl x509 -noout -pubkey -in CERT "
            + "and openssl pkey -pubout -in KEY")
    }
    self.server = server
  }

  /// Ends connections that take too long; to be called every second or so.
  func sweep() { watch.sweep() }

  /// Takes no more connections, and no more requests on those that there are.
  func quiesce() {
    isStopping.store(true, ordering: .relaxed)
    if let server { cmhd_quiesce(server) }
  }

  /// Closes all connections.
  ///
  /// - Returns: false when requests are still being worked on; nothing is closed then.
  func stop() -> Bool {
    guard requests == 0 else { return false }
    if let server { cmhd_stop(server) }
    server = nil
    return true
  }

  // MARK: From the library

  private static func listener(_ context: UnsafeMutableRawPointer) -> HTTPListener {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  private static func exchange(_ request: UnsafeMutableRawPointer) -> Exchange {
    Unmanaged.fromOpaque(request).takeUnretainedValue()
  }

  private static let handlers = cmhd_handlers(
    begin: { context, connection, head in
      let exchange = listener(context).begin(connection, head.pointee)
      return UnsafeMutableRawPointer(Unmanaged.passRetained(exchange).toOpaque())
    },
    receive: { context, request, bytes, count in
      listener(context).receive(
        exchange(request), UnsafeRawBufferPointer(start: bytes, count: count))
    },
    complete: { context, request, connection in
      listener(context).complete(exchange(request), connection)
    },
    end: { context, request, connection in
      listener(context).end(exchange(request), connection)
      Unmanaged<Exchange>.fromOpaque(request).release()
    },
    connected: { context, connection, socket in
      let listener = listener(context)
      listener.watch.add(
        UInt(bitPattern: connection), socket: socket, client: HTTPListener.client(connection),
        patience: listener.limits.headPatience)
    },
    disconnected: { context, connection in
      listener(context).watch.remove(UInt(bitPattern: connection))
    })

  private static func client(_ connection: OpaquePointer) -> ClientAddress {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = cmhd_address(connection, &bytes)
    return ClientAddress(Array(bytes.prefix(count)))
  }

  private func begin(_ connection: OpaquePointer, _ parts: cmhd_head) -> Exchange {
    var headers: [HTTPHeader] = []
    withUnsafeMutablePointer(to: &headers) { list in
      cmhd_headers(connection, list) { list, name, nameCount, value, valueCount in
        list.assumingMemoryBound(to: [HTTPHeader].self).pointee.append(
          HTTPHeader(
            UnsafeRawBufferPointer(start: name, count: nameCount),
            UnsafeRawBufferPointer(start: value, count: valueCount)))
      }
    }
    // Of a refused one only the length of the body is of interest.
    let head = HTTPHead(
      method: parts.is_refused ? "POST" : String(cString: parts.method),
      target: String(cString: parts.target),
      version: parts.is_refused ? "HTTP/1.1" : String(cString: parts.version), headers: headers,
      size: parts.size,
      isPlain: parts.is_plain)
    let exchange = Exchange(
      id: RequestName.make(), head: head, client: HTTPListener.client(connection))
    unfinished.wrappingAdd(1, ordering: .relaxed)
    watch.expect(UInt(bitPattern: connection), within: limits.bodyPatience)
    let problem =
      RequestCheck.problem(with: head, limits: limits)
      ?? (parts.is_refused ? RequestCheck.malformed("the head is not understood") : shortage())
    if let problem {
      // Before the body was read: the library closes the connection after this answer.
      refuse(exchange, problem, connection)
    }
    return exchange
  }

  private func shortage() -> ProblemDocument? {
    guard
      isStopping.load(ordering: .relaxed) || requests >= limits.requests
        || bodies.load(ordering: .relaxed) >= limits.totalBodyBytes
    else { return nil }
    return ProblemDocument(
      503, "busy", "The server is busy.", detail: "too many requests at once", retryAfter: 1)
  }

  private func refuse(
    _ exchange: Exchange, _ problem: ProblemDocument, _ connection: OpaquePointer
  ) {
    var response = HTTPResponse(problem, request: exchange.id)
    response.closes = true
    observer(exchange, response)
    exchange.state.withLock { $0.response = response }
    // The library has an answer already where it does not understand the length of the body either.
    if !answer(exchange, response, connection) {
      send(exchange, response) { status, body, headers in
        cmhd_answer_instead(
          connection, status, body.baseAddress, body.count, headers, headers.count)
      }
    }
  }

  private func receive(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let (taken, excess) = exchange.state.withLock { state in
      let room = max(0, limits.bodyBytes - state.body.count)
      state.body.append(contentsOf: bytes.prefix(room))
      state.excess += max(0, bytes.count - room)
      return (min(room, bytes.count), state.excess)
    }
    bodies.wrappingAdd(taken, ordering: .relaxed)
    // A little more is read, so that a client that does not listen while it sends sees the answer.
    return excess <= limits.bodyBytes
  }

  private func complete(_ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
    let (response, excess) = exchange.state.withLock { ($0.response, $0.excess) }
    if let response {
      observer(exchange, response)
      return answer(exchange, response, connection)
    }
    if excess > 0 {
      refuse(exchange, RequestCheck.tooLarge(limits.bodyBytes), connection)
      return true
    }
    watch.expect(UInt(bitPattern: connection), within: nil)
    working.wrappingAdd(1, ordering: .relaxed)
    let request = HTTPRequest(
      id: exchange.id, head: exchange.head, client: exchange.client,
      body: exchange.state.withLock { $0.body })
    // A suspended connection stays until it is resumed.
    nonisolated(unsafe) let suspended = connection
    cmhd_suspend(suspended)
    Task {
      var response = await handler(request)
      if isStopping.load(ordering: .relaxed) { response.closes = true }
      exchange.state.withLock { [response] in $0.response = response }
      // Counted until then: a server must not stop in between.
      cmhd_resume(suspended)
      working.wrappingSubtract(1, ordering: .relaxed)
    }
    return true
  }

  private func answer(
    _ exchange: Exchange, _ response: HTTPResponse, _ connection: OpaquePointer
  ) -> Bool {
    watch.expect(UInt(bitPattern: connection), within: limits.bodyPatience)
    return send(exchange, response) { status, body, headers in
      cmhd_answer(connection, status, body.baseAddress, body.count, headers, headers.count)
    }
  }

  private func send<Result>(
    _ exchange: Exchange, _ response: HTTPResponse,
    _ send: (UInt32, UnsafeRawBufferPointer, [cmhd_header]) -> Result
  ) -> Result {
    var lines =
      response.headers + [
        ("X-Request-Id", exchange.id), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ]
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

  private func end(_ exchange: Exchange, _ connection: OpaquePointer) {
    watch.expect(
      UInt(bitPattern: connection), within: limits.idlePatience + limits.headPatience)
    unfinished.wrappingSubtract(1, ordering: .relaxed)
    let count = exchange.state.withLock { state in
      defer { state.body = [] }
      return state.body.count
    }
    bodies.wrappingSubtract(count, ordering: .relaxed)
  }
}
