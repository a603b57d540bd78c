import CMicroHTTPD
import Diagnosis
import Glibc
import LunaJSON
import Synchronization

/// An HTTP server: a handler answers requests, at once or with a stream of events.
///
/// The shell around libmicrohttpd: takes requests apart, and hands them to a task each while their
/// connection is suspended, so that the library's threads never wait.
///
/// One that was started lives until ``stop(within:)`` answered true, whoever lets go of it before.
public final class HTTPListener: @unchecked Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse
  /// What is told of an answer: to which request, and what. A stream is told of when it begins.
  public typealias Observer = @Sendable (HTTPExchange, HTTPResponse) -> Void

  private let limits: HTTPLimits
  private let handler: Handler
  private let observer: Observer
  private let watch: ConnectionWatch
  private let streams: EventStreams
  private let upgrades: UpgradedConnections
  private let sweeps: RepeatingTimer
  private let heartbeats: RepeatingTimer
  private let bodies = Atomic(0)
  private let working = Atomic(0)
  private let load = EndpointLoad()
  /// Requests that are being received, worked on or answered.
  private let activity = Activity()
  private let isStopping = Atomic(false)
  // Set before the first request and taken away after the last.
  private let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
  private var server: OpaquePointer?
  /// Certificate and key as the library has them.
  private var texts: [UnsafeMutablePointer<CChar>?] = []
  private var socket: ListeningSocket?

  /// A server that does not run yet.
  ///
  /// - Parameters:
  ///   - observer: is told of each answer, on a thread that must not wait.
  ///   - handler: gives the answers.
  public init(
    limits: HTTPLimits = HTTPLimits(), observer: @escaping Observer = { _, _ in },
    handler: @escaping Handler
  ) {
    self.limits = limits
    self.observer = observer
    self.handler = handler
    let watch = ConnectionWatch(limit: limits.connectionsPerAddress)
    let streams = EventStreams(limit: limits.streams)
    self.watch = watch
    self.streams = streams
    upgrades = UpgradedConnections(limit: limits.upgrades)
    sweeps = RepeatingTimer(every: .seconds(1)) { watch.sweep() }
    heartbeats = RepeatingTimer(every: limits.heartbeat) { await streams.beat() }
  }

  // Here nothing is served: the library holds one that serves.
  deinit { settings.deallocate() }

  private func forgetTexts() {
    for text in texts {
      // One of them is a key.
      if let text { explicit_bzero(text, strlen(text)) }
      free(text)
    }
    texts = []
  }

  /// How many connections there are.
  public var connections: Int { watch.count }
  /// How many requests are being worked on.
  public var requests: Int { working.load(ordering: .relaxed) }
  /// How many streams of events are open.
  public var openStreams: Int { streams.count }
  /// How many connections are HTTP no more.
  package var upgradedConnections: Int { upgrades.count }

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - threads: how many serve connections.
  ///   - tls: certificate and key; nil for plain HTTP.
  /// - Returns: where, with the port that it got.
  public func start(
    on wanted: ListenAddress, threads: Int = 1, tls: TLSFiles? = nil
  ) throws(ServerError) -> ListenAddress {
    try start(on: ListeningSocket(wanted), threads: threads, tls: tls)
  }

  /// Starts to serve where somebody listens already; the socket ends with the server.
  package func start(
    on socket: ListeningSocket, threads: Int = 1, tls: TLSFiles? = nil
  ) throws(ServerError) -> ListenAddress {
    if let problem = cmhd_load() {
      throw ServerError(
        .library, "the HTTP library is missing: \(String(cString: problem))",
        remedy: "apt-get install libmicrohttpd12")
    }
    // Its threads have the listener until they end, also where nobody else holds it any more.
    let held = Unmanaged.passRetained(self)
    // The library keeps what it reads from these.
    texts = tls.map { [strdup($0.certificate), strdup($0.key)] } ?? []
    settings.initialize(
      to: cmhd_settings(
        listening_socket: socket.descriptor, threads: UInt32(threads),
        connections: UInt32(limits.connections),
        seconds_of_patience: UInt32(limits.idlePatience.components.seconds),
        memory: limits.headMemory, upgrades: limits.upgrades > 0,
        certificate: UnsafePointer(texts.first ?? nil),
        key: UnsafePointer(texts.last ?? nil), context: held.toOpaque(),
        handlers: HTTPListener.handlers))
    guard let server = cmhd_start(settings) else {
      forgetTexts()
      held.release()
      throw tls == nil
        ? ServerError(.failed, "the HTTP server cannot start", remedy: "look at: ulimit -n")
        : ServerError(
          .certificate, "the HTTP server does not take the certificate and its key",
          remedy: "both are PEM; compare them with: openssl x509 -noout -pubkey -in CERT "
            + "and openssl pkey -pubout -in KEY")
    }
    self.server = server
    self.socket = socket
    return socket.address
  }

  /// Takes no more connections, and no more requests on those that there are; ends streams.
  public func quiesce() {
    isStopping.store(true, ordering: .relaxed)
    if let server { cmhd_quiesce(server) }
    streams.closeAll()
  }

  /// Closes all connections, after the requests that are under way were answered.
  ///
  /// - Returns: false when requests were still being worked on after so long; these are not closed then,
  ///   and the process is to end without more, or to ask again.
  public func stop(within patience: Duration) async -> Bool {
    quiesce()
    if await !activity.isOver(within: min(patience, limits.farewellPatience)) {
      streams.abortAll()
      upgrades.cutAll()
      _ = await activity.isOver(within: patience)
    }
    guard requests == 0, streams.count == 0, upgrades.count == 0 else { return false }
    if let server {
      self.server = nil
      cmhd_stop(server)
      forgetTexts()
      Unmanaged.passUnretained(self).release()
    }
    // Others may hold it as well.
    socket?.close()
    socket = nil
    return true
  }

  private static func listener(_ context: UnsafeMutableRawPointer) -> HTTPListener {
    Unmanaged.fromOpaque(context).takeUnretainedValue()
  }

  private static func exchange(_ request: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged.fromOpaque(request).takeUnretainedValue()
  }

  private static let handlers = cmhd_handlers(
    begin: { context, connection, head in
      guard let exchange = listener(context).begin(connection, head.pointee) else { return nil }
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
      Unmanaged<HTTPExchange>.fromOpaque(request).release()
    },
    connected: { context, connection, socket in
      let listener = listener(context)
      listener.watch.add(
        UInt(bitPattern: connection), socket: socket,
        client: ClientAddress(HTTPListener.peer(connection)),
        patience: listener.limits.headPatience)
      listener.sweeps.wake()
    },
    disconnected: { context, connection in
      listener(context).watch.remove(UInt(bitPattern: connection))
    },
    upgraded: { context, request, socket, handle, bytes, count in
      listener(context).upgraded(
        exchange(request), socket, handle, UnsafeRawBufferPointer(start: bytes, count: count))
    })

  /// The address of whoever connected.
  private static func peer(_ connection: OpaquePointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = cmhd_address(connection, &bytes)
    return Array(bytes.prefix(count))
  }

  /// Nil where nobody is to answer.
  private func begin(_ connection: OpaquePointer, _ parts: cmhd_head) -> HTTPExchange? {
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
    var head = HTTPHead(
      method: parts.is_refused ? "POST" : String(cString: parts.method),
      target: String(cString: parts.target),
      version: parts.is_refused ? "HTTP/1.1" : String(cString: parts.version), headers: headers)
    head.size = parts.size
    head.isPlain = parts.is_plain
    head.connection = watch.number(of: UInt(bitPattern: connection)) ?? 0
    head = head.inOriginForm
    let choice: BodyChoice = parts.is_refused ? .kept : limits.body(head)
    if case .unheard = choice { return nil }
    let receiver = choice.receiver
    let exchange = HTTPExchange(
      id: RequestName.make(), head: head,
      client: ClientAddress(
        limits.trustedProxies.client(behind: HTTPListener.peer(connection), head)),
      limits: limits, socket: watch.socket(of: UInt(bitPattern: connection)) ?? -1,
      receiver: receiver)
    activity.begin()
    watch.expect(
      UInt(bitPattern: connection), within: receiver?.patience ?? limits.bodyPatience)
    let problem =
      RequestCheck.problem(
        with: head, limits: limits, endpoint: exchange.endpoint?.limits, bodyBytes: receiver?.limit)
      ?? (parts.is_refused
        ? RequestCheck.malformed("the head is not understood") : shortage(receiver))
    if let problem {
      // Before the body was read: the library closes the connection after this answer.
      refuse(exchange, problem, connection)
    }
    return exchange
  }

  private func shortage(_ receiver: BodyReceiver?) -> ProblemDocument? {
    let isFull =
      requests >= limits.requests || bodies.load(ordering: .relaxed) >= limits.totalBodyBytes
    let isExpected = receiver?.isExpected ?? false
    guard isStopping.load(ordering: .relaxed) || isFull && !isExpected else { return nil }
    return ProblemDocument(
      503, "busy", "The server is busy.", detail: "too many requests at once", retryAfter: 1)
  }

  private func refuse(
    _ exchange: HTTPExchange, _ problem: ProblemDocument, _ connection: OpaquePointer
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

  private func receive(_ exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let (taken, excess) = exchange.state.withLock { state in
      let room = max(0, exchange.bodyBytes - state.received)
      if exchange.receiver == nil { state.body.append(contentsOf: bytes.prefix(room)) }
      let taken = min(room, bytes.count)
      state.received += taken
      state.excess += bytes.count - taken
      return (taken, state.excess)
    }
    if let receiver = exchange.receiver {
      let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(taken))
      guard taken == 0 || receiver.take(piece) else { return false }
      receiver.look?(exchange.socket)
      return excess <= limits.bodyBytes
    }
    bodies.wrappingAdd(taken, ordering: .relaxed)
    // A little more is read, so that a client that does not listen while it sends sees the answer.
    return excess <= exchange.bodyBytes
  }

  private func complete(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> Bool {
    let (response, excess) = exchange.state.withLock { ($0.response, $0.excess) }
    if let response {
      observer(exchange, response)
      if let stream = response.events { return begin(stream, exchange, response, connection) }
      if let source = response.source { return send(source, exchange, response, connection) }
      return response.upgrade == nil
        ? answer(exchange, response, connection) : upgrade(exchange, response, connection)
    }
    if excess > 0 {
      refuse(exchange, .bodyTooLarge(exchange.bodyBytes), connection)
      return true
    }
    watch.expect(UInt(bitPattern: connection), within: nil)
    working.wrappingAdd(1, ordering: .relaxed)
    activity.begin()
    let (body, received) = exchange.state.withLock { ($0.body, $0.received) }
    let request = HTTPRequest(
      id: exchange.id, head: exchange.head, client: exchange.client, body: body,
      receivedBytes: received)
    // A suspended connection stays until it is resumed.
    nonisolated(unsafe) let suspended = connection
    cmhd_suspend(suspended)
    Task {
      var response = admit(await answer(request, exchange.endpoint), request)
      let mayEnd = response.events == nil && !response.staysOpen
      let isFull = mayEnd && watch.count > limits.keptConnections
      let isLast = isFull || isStopping.load(ordering: .relaxed)
      if isLast, response.upgrade == nil { response.closes = true }
      exchange.state.withLock { [response] in $0.response = response }
      // Counted until then: a server must not stop in between.
      cmhd_resume(suspended)
      working.wrappingSubtract(1, ordering: .relaxed)
      activity.end()
    }
    return true
  }

  /// What the handler answers, where the endpoint is not busy with as many as it takes.
  private func answer(
    _ request: HTTPRequest, _ endpoint: (name: String, limits: EndpointLimits)?
  ) async -> HTTPResponse {
    guard let (name, own) = endpoint, let most = own.requests else {
      return await handler(request)
    }
    guard load.begin(name, limit: most) else {
      return HTTPResponse(
        ProblemDocument(
          503, "busy", "The server is busy.", detail: "too many such requests at once",
          retryAfter: 1), request: request.id)
    }
    defer { load.end(name) }
    return await handler(request)
  }

  /// An answer, if it is a stream or an upgrade for which there is room.
  private func admit(_ response: HTTPResponse, _ request: HTTPRequest) -> HTTPResponse {
    if let upgrade = response.upgrade { return admit(upgrade, response, request) }
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

  private func admit(
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

  private func upgrade(
    _ exchange: HTTPExchange, _ response: HTTPResponse, _ connection: OpaquePointer
  ) -> Bool {
    // From here on only who takes the connection knows how long it may be silent.
    watch.expect(UInt(bitPattern: connection), within: nil)
    return send(exchange, response) { _, _, headers in
      cmhd_answer_upgrade(connection, settings, headers, headers.count)
    }
  }

  private func upgraded(
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

  private func begin(
    _ stream: EventStream, _ exchange: HTTPExchange, _ response: HTTPResponse,
    _ connection: OpaquePointer
  ) -> Bool {
    // It may be silent; and whoever does not read is known by what waits.
    watch.expect(UInt(bitPattern: connection), within: nil)
    guard stream.attach(EventLink(connection, watch, activity)) else { return false }
    heartbeats.wake()
    return send(exchange, response) { status, _, headers in
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

  private func send(
    _ source: BodySource, _ exchange: HTTPExchange, _ response: HTTPResponse,
    _ connection: OpaquePointer
  ) -> Bool {
    watch.expect(UInt(bitPattern: connection), within: source.patience)
    source.begin(on: exchange.socket)
    return send(exchange, response) { status, _, headers in
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

  private func answer(
    _ exchange: HTTPExchange, _ response: HTTPResponse, _ connection: OpaquePointer
  ) -> Bool {
    watch.expect(UInt(bitPattern: connection), within: limits.bodyPatience)
    return send(exchange, response) { status, body, headers in
      cmhd_answer(connection, status, body.baseAddress, body.count, headers, headers.count)
    }
  }

  private func send<Result>(
    _ exchange: HTTPExchange, _ response: HTTPResponse,
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

  private func end(_ exchange: HTTPExchange, _ connection: OpaquePointer) {
    watch.expect(
      UInt(bitPattern: connection), within: limits.idlePatience + limits.headPatience)
    let (count, response) = exchange.state.withLock { state in
      defer { state.body = [] }
      return (state.body.count, state.response)
    }
    bodies.wrappingSubtract(count, ordering: .relaxed)
    exchange.receiver?.look?(exchange.socket)
    response?.source?.end()
    if response?.upgrade != nil { upgrades.remove(exchange.id) }
    if let stream = response?.events {
      stream.ended()
      streams.remove(stream)
    }
    activity.end()
  }
}
