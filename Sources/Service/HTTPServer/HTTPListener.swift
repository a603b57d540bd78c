import CMicroHTTPD
import Diagnosis
import Glibc
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

  let limits: HTTPLimits
  let handler: Handler
  let observer: Observer
  let watch: ConnectionWatch
  let streams: EventStreams
  let upgrades: UpgradedConnections
  let sweeps: RepeatingTimer
  let heartbeats: RepeatingTimer
  let bodies = Atomic(0)
  let working = Atomic(0)
  let load = EndpointLoad()
  /// Requests that are being received, worked on or answered.
  let activity = Activity()
  let isStopping = Atomic(false)
  // Set before the first request and taken away after the last.
  let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
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
      if await !activity.isOver(within: min(patience, limits.farewellPatience)) {
        // Under TLS the library may have seen the end before its holder closed it: then it waits for the client.
        upgrades.cutAll()
        _ = await activity.isOver(within: patience)
      }
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
}
