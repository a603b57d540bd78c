import Diagnosis
import EventLoop
import Glibc
import LunaAccount
import LunaBackend
import LunaClient
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON
import LunaLocation
import LunaStore
import Synchronization

/// A gateway that has no token yet: it offers itself to the backend until somebody has scanned its
/// label, while it listens and queues already.
final class Newcomer: TokenProvider {
  /// How often it offers itself at first, and at last.
  private static let pauses = (first: Duration.seconds(10), last: Duration.seconds(600))

  private struct State {
    var isOver = false
    var offering: Task<Void, Never>?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let client: BackendClient
  private let state: String
  private let position: PayloadPosition?
  private let diagnostics: Diagnostics
  private let shared = Mutex(State())

  private var tokenFile: String { "\(state)/\(TokenSource.Role.gateway.tokenFile)" }
  /// The token that is offered: the same after a new start, since an answer may have been lost.
  private var offeredFile: String { "\(tokenFile).offered" }

  /// Nil for a gateway that has a token, or is told where it is.
  init?(
    _ options: ClientOptions, state: String, _ location: LocationChoice, _ diagnostics: Diagnostics
  ) throws {
    guard options.backend != nil, options.givenToken(state) == nil,
      case .file(let path) = TokenSource.standard(.gateway, in: state), access(path, F_OK) != 0,
      let client = try options.makeClient(.gateway, state: state)
    else { return nil }
    self.client = client
    self.state = state
    self.diagnostics = diagnostics
    if case .place(let latitude, let longitude, _) = location {
      position = PayloadPosition(degrees: (latitude, longitude))
    } else {
      position = nil
    }
  }

  /// Begins to offer.
  ///
  /// - Parameter telemetry: told how long it took, where that is wanted.
  func start(_ telemetry: (any TelemetrySink)?) {
    let task = Task { await offer(telemetry) }
    shared.withLock { $0.offering = task }
  }

  /// Gives up: whoever waits for the token gets none.
  func end() {
    let (task, waiting) = shared.withLock { state in
      defer { state.waiting = [] }
      state.isOver = true
      return (state.offering, state.waiting)
    }
    task?.cancel()
    for one in waiting { one.resume() }
  }

  private func offer(_ telemetry: (any TelemetrySink)?) async {
    do {
      let key = try await GatewayKey(in: StateDirectory(path: state))
      var payload = GatewayPayload(print: key.print)
      payload.name = GatewayPayload.fitting(MQTTOptions.host)
      payload.position = position
      diagnostics.note(
        "luna: this gateway has no token yet; have an operator scan its label (luna finder label), "
          + "or give them this line:")
      diagnostics.note(payload.text)
      diagnostics.note(
        "luna: its print is \(key.print), which they compare with what the backend shows")
      let token = try await offeredToken()
      let digest = try SHA256.digest(of: token.utf8Span.span)
      let offer = try EnrolmentOffer(
        privateKey: key.privateKey, tokenDigest: digest.indices.map { digest[$0] })
      let began = ContinuousClock.now
      var told: String?
      while !Task.isCancelled {
        do throws(BackendError) {
          try await client.offer(offer.json)
          try keep()
          telemetry?.record(.operation("enrol", in: "finder", took: began.duration(to: .now)))
          diagnostics.note("luna: an operator has scanned the label; the token is in \(tokenFile)")
          release()
          return
        } catch {
          // What is new is told; that nobody has scanned yet was said.
          let code = error.problem?.code ?? error.kind.rawValue
          if code != told, code != FleetError.Code.notEnrolled.rawValue {
            diagnostics.note("luna: cannot enrol: \(error)")
          }
          told = code
          var pause = min(
            max(Newcomer.pauses.first, (ContinuousClock.now - began) / 5), Newcomer.pauses.last)
          if let seconds = error.retryAfter { pause = max(pause, .seconds(seconds)) }
          try? await Task.sleep(for: pause)
        }
      }
    } catch {
      diagnostics.note("luna: cannot enrol: \(error)")
    }
  }

  private func offeredToken() async throws -> String {
    if access(offeredFile, F_OK) == 0 {
      let text = String(decoding: try await InputFile.read(offeredFile), as: UTF8.self)
        .filter { !$0.isWhitespace }
      if AccessToken(text)?.role == .gateway { return text }
    }
    let token = try AccessToken(.gateway)
    try OutputFile.writeSecret(Array((token.text + "\n").utf8), to: offeredFile, replacing: true)
    return token.text
  }

  /// The token that was offered is that of the gateway from now on.
  private func keep() throws(BackendError) {
    guard rename(offeredFile, tokenFile) == 0 else {
      throw BackendError(.local, "cannot write \(tokenFile): \(ErrorText.of(errno))")
    }
  }

  private func release() {
    let waiting = shared.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  /// The token, as soon as there is one. It is read for every request, so that a rotation needs no
  /// restart.
  func token() async throws(BackendError) -> SecretBytes {
    while access(tokenFile, F_OK) != 0 {
      let isOver = shared.withLock { $0.isOver }
      guard !isOver else {
        throw BackendError(
          .local, "this gateway has no token yet",
          remedy: "have an operator scan its label, or use \(.enrolment)")
      }
      await withCheckedContinuation { continuation in
        let isDone = shared.withLock { state in
          // It may have come since it was looked for.
          if state.isOver || access(tokenFile, F_OK) == 0 { return true }
          state.waiting.append(continuation)
          return false
        }
        if isDone { continuation.resume() }
      }
    }
    do throws(CommandFailure) {
      var bytes = try await InputFile.read(tokenFile)
      defer { wipe(&bytes) }
      let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
      return SecretBytes(copying: bytes.span.extracting(first: end))
    } catch { throw BackendError(.local, error.reason) }
  }

  /// There is no other one.
  func renew(after refused: SecretBytes) async -> Bool { false }
}
