import CMosquitto
import Diagnosis
import EventLoop
import Glibc
import SafeText
import Synchronization

/// A client of an MQTT broker, over libmosquitto, which is loaded when the first one is made.
///
/// ```swift
/// let client = try MQTTClient(MQTTConfiguration(MQTTAddress("mqtt://localhost"), clientID: "attic"))
/// client.start()
/// client.publish(MQTTMessage("attic/lamp", "on", isRetained: true))
/// await client.stop()
/// ```
///
/// It connects on a thread of its own, and again whenever the connection breaks. Publishing never
/// waits: what the broker does not take yet is kept, up to a limit, and what is beyond it is counted.
/// May be used from any thread.
public final class MQTTClient: Sendable {
  /// The library's part, which is for all threads.
  private struct Library: @unchecked Sendable { let client: OpaquePointer }

  private struct State {
    /// There while the thread serves.
    var library: Library?
    var outbox: MQTTOutbox
    var filters: [String] = []
    var hasStarted = false
    var isStopping = false
    /// Since when the broker takes messages; nil while it does not.
    var began: ContinuousClock.Instant?
    /// Ended when nothing is left to be sent.
    var emptying: AsyncStream<Void>.Continuation?
  }

  /// The longest payload that is taken: some wait for their reader, and a broker may hand on 256 MB of anybody.
  static let longestPayload = 256 << 10
  /// How long a stop waits for what is still to be sent, and for the thread.
  private static let patience: Duration = .seconds(2)

  private let configuration: MQTTConfiguration
  private let state: Mutex<State>
  private let (ended, ending) = AsyncStream.makeStream(of: Void.self)

  /// How it stands with the broker, for one reader; who is slow gets the last 16.
  public let states: AsyncStream<MQTTState>
  private let statesInlet: AsyncStream<MQTTState>.Continuation
  /// What comes of ``subscribe(to:)``, for one reader; who is slow gets the last 64. Payloads of more than 256 KiB are
  /// left out.
  public let messages: AsyncStream<MQTTMessage>
  private let messagesInlet: AsyncStream<MQTTMessage>.Continuation

  /// A client, not connected.
  ///
  /// - Throws: ``MQTTError`` of kind `library`, or `files` when one of them cannot be read.
  public init(_ configuration: MQTTConfiguration) throws(MQTTError) {
    if let problem = cmosq_load() {
      throw MQTTError(
        .library, "libmosquitto cannot be loaded: \(String(cString: problem))",
        remedy: "sudo apt install libmosquitto1")
    }
    for file in [configuration.authorities, configuration.certificate, configuration.key] {
      guard let file, access(file, R_OK) != 0 else { continue }
      throw MQTTError(.files, "cannot read \(file): \(String(cString: strerror(errno)))")
    }
    guard (configuration.certificate == nil) == (configuration.key == nil) else {
      throw MQTTError(.files, "a client's certificate and its key belong together")
    }
    self.configuration = configuration
    state = Mutex(State(outbox: MQTTOutbox(limit: configuration.limit)))
    (states, statesInlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    (messages, messagesInlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
  }

  /// The messages that found no room while the broker did not take them.
  public var dropped: Int { state.withLock { $0.outbox.dropped } }

  /// Whether something retained was taken back (published without a payload) and the broker has not confirmed that yet.
  package var takesBack: Bool { state.withLock { $0.outbox.takesBack } }

  /// Begins to connect; what is wrong with that is told by ``states``.
  public func start() {
    let isNew = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted && !state.isStopping
    }
    if isNew { Blocking.start { self.serve() } }
  }

  /// Publishes a message now, or when the broker takes it.
  public func publish(_ message: MQTTMessage) {
    state.withLock { state in
      guard !state.isStopping else { return }
      let messages = state.outbox.publish(message)
      MQTTClient.send(messages, &state)
    }
  }

  /// Publishes all that is retained once more, as for somebody who has just begun to listen and forgotten
  /// what was said before.
  public func publishAgain() {
    state.withLock { state in
      let messages = state.outbox.again()
      MQTTClient.send(messages, &state)
    }
  }

  /// Asks for the messages of a filter (`attic/+/set`), also after every later connect.
  public func subscribe(to filter: String) {
    state.withLock { state in
      guard !state.filters.contains(filter) else { return }
      state.filters.append(filter)
      if let library = state.library { _ = cmosq_subscribe(library.client, filter) }
    }
  }

  /// Sends what waits and a farewell, takes leave of the broker, and ends. Waits for a few seconds at
  /// most. What the broker would say of a lost client is for the farewell to say.
  public func stop(saying farewell: [MQTTMessage] = []) async {
    let (emptied, emptying) = AsyncStream.makeStream(of: Void.self)
    let runs = state.withLock { state in
      for message in farewell where !state.isStopping {
        let messages = state.outbox.publish(message)
        MQTTClient.send(messages, &state)
      }
      state.isStopping = true
      state.emptying = emptying
      if state.outbox.isEmpty || !state.outbox.isConnected { emptying.finish() }
      return state.hasStarted
    }
    guard runs else { return finish() }
    await MQTTClient.wait(for: emptied, emptying)
    state.withLock { state in if let library = state.library { cmosq_stop(library.client) } }
    await MQTTClient.wait(for: ended, ending)
  }

  private static func wait(
    for stream: AsyncStream<Void>, _ continuation: AsyncStream<Void>.Continuation
  ) async {
    let timer = Task {
      try? await Task.sleep(for: patience * 2)
      continuation.finish()
    }
    for await _ in stream {}
    timer.cancel()
  }

  /// Sends in the order in which the outbox gives it: under its lock. The library only queues.
  private static func send(_ messages: [MQTTMessage], _ state: inout State) {
    var messages = messages
    while !messages.isEmpty, let client = state.library?.client {
      var failed = 0
      for message in messages {
        let isSent = message.payload.withUnsafeBytes {
          cmosq_publish(
            client, message.topic, $0.baseAddress, $0.count,
            message.isRetained || message.isCommand ? 1 : 0, message.isRetained)
        }
        if !isSent { failed += 1 }
      }
      // What the library does not take makes room.
      messages = failed > 0 ? state.outbox.failed(failed) : []
    }
  }

  private func serve() {
    defer { finish() }
    guard let library = open() else {
      statesInlet.yield(
        .disconnected(MQTTError(.failed, "libmosquitto makes no client"), retryIn: .zero))
      return
    }
    defer {
      state.withLock { $0.library = nil }
      cmosq_close(library.client)
    }
    let goesOn = state.withLock { state in
      state.library = library
      return !state.isStopping
    }
    guard goesOn else { return }
    var pauses = MQTTPauses(configuration.pauses)
    repeat {
      statesInlet.yield(.connecting)
      var problem = [CChar](repeating: 0, count: 512)
      let outcome = cmosq_serve(library.client, &problem, problem.count)
      let began = state.withLock { state -> ContinuousClock.Instant? in
        defer { state.began = nil }
        state.outbox.disconnected()
        state.emptying?.finish()
        return state.began
      }
      guard outcome != cmosq_stopped else { return }
      let pause = pauses.next(after: began.map { $0.duration(to: .now) })
      let text = String(
        decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      statesInlet.yield(.disconnected(error(outcome, EscapedText.line(text)), retryIn: pause))
      guard cmosq_wait(library.client, UInt32(clamping: pause.milliseconds)) else { return }
    } while true
  }

  private func finish() {
    statesInlet.finish()
    messagesInlet.finish()
    ending.finish()
  }

  private func open() -> Library? {
    // The thread that serves keeps this alive.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let will = configuration.lastWill
    let address = configuration.address
    return withCStrings([
      address.host, configuration.clientID, address.user, configuration.password, will?.topic,
      will.map { String(decoding: $0.payload, as: UTF8.self) }, configuration.authorities,
      configuration.certificate, configuration.key,
    ]) { texts in
      guard let host = texts[0], let clientID = texts[1] else { return nil }
      var settings = cmosq_settings(
        host: host, port: Int32(address.port), keepalive: Int32(max(5, configuration.keepAlive)),
        client_id: clientID, user: texts[2], password: texts[3], will_topic: texts[4],
        will_payload: texts[5], uses_tls: address.usesTLS, authorities: texts[6],
        certificate: texts[7], key: texts[8], context: context,
        handlers: cmosq_handlers(
          connected: { MQTTClient.from($0).connected() },
          delivered: { MQTTClient.from($0).delivered(Int($1)) },
          received: { MQTTClient.from($0).received($1, $2, $3, $4) }))
      return cmosq_open(&settings).map { Library(client: $0) }
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer) -> MQTTClient {
    Unmanaged<MQTTClient>.fromOpaque(context).takeUnretainedValue()
  }

  private func connected() {
    state.withLock { state in
      state.began = .now
      for filter in state.filters {
        if let library = state.library { _ = cmosq_subscribe(library.client, filter) }
      }
      let messages = state.outbox.connected()
      MQTTClient.send(messages, &state)
    }
    statesInlet.yield(.connected)
  }

  private func delivered(_ count: Int) {
    state.withLock { state in
      let messages = state.outbox.delivered(count)
      MQTTClient.send(messages, &state)
      if state.outbox.isEmpty { state.emptying?.finish() }
    }
  }

  private func received(
    _ topic: UnsafePointer<CChar>, _ payload: UnsafeRawPointer?, _ length: Int, _ retained: Bool
  ) {
    guard length <= MQTTClient.longestPayload else { return }
    let bytes = payload.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) } ?? []
    messagesInlet.yield(MQTTMessage(String(cString: topic), bytes, isRetained: retained))
  }

  private func error(_ outcome: cmosq_outcome, _ reason: String) -> MQTTError {
    let broker = "\(configuration.address.host):\(configuration.address.port)"
    switch outcome {
    case cmosq_not_resolved:
      return MQTTError(
        .notResolved, "the name \(configuration.address.host) is unknown (\(reason))")
    case cmosq_not_connected:
      return MQTTError(.notConnected, "no broker answers at \(broker) (\(reason))")
    case cmosq_refused:
      return MQTTError(
        .refused, "the broker at \(broker) refuses this client (\(reason))",
        remedy: "check user and password: \(.brokerPassword)")
    case cmosq_not_trusted:
      return MQTTError(
        .notTrusted, "no secure connection with \(broker) (\(reason))",
        remedy: remedyOfDistrust(reason))
    case cmosq_bad_files:
      return MQTTError(.files, "certificate, key or authorities cannot be used (\(reason))")
    case cmosq_lost: return MQTTError(.lost, "the connection with \(broker) broke (\(reason))")
    default: return MQTTError(.failed, "the connection with \(broker) failed (\(reason))")
    }
  }

  /// What can be done where the library tells no more than OpenSSL does.
  private func remedyOfDistrust(_ reason: String) -> Remedy {
    if reason.contains(text: "key values mismatch") { return "give the key of that certificate" }
    guard configuration.authorities != nil, reason.contains(text: "verify failed") else {
      return "name the file of the authority that has signed the broker's certificate"
    }
    return "its certificate has to be of an authority in that file, for this name, and in time"
  }
}

/// Calls `body` with C texts, which stay for that long.
private func withCStrings<Result>(
  _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
  let copies = texts.map { $0.flatMap { strdup($0) } }
  defer {
    for copy in copies {
      // One of them may be a password.
      if let copy { explicit_bzero(copy, strlen(copy)) }
      free(copy)
    }
  }
  return body(copies.map { $0.map { UnsafePointer($0) } })
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
  }
}
