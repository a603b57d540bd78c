import Glibc
import LunaClient
import LunaCore
import LunaCrypto
import LunaJSON
import LunaStore
import Testing

@testable import LunaAccount

@Suite(.timeLimit(.minutes(10)))
struct GatewayEnrolmentTests {
  private static let unscanned = ProblemDocument(
    403, EnrolmentOffer.unscanned, "Not enrolled.", detail: "nobody has scanned the label")
  private static let superseded = ProblemDocument(
    409, EnrolmentOffer.superseded, "Enrolled already.", detail: "the token was revoked")
  private static let busy = ProblemDocument(503, "busy", "The server is busy.")

  private let state = TemporaryState()
  private let clock = HandClock()

  private func gateway(at gate: EnrolmentGate) throws -> GatewayEnrolment? {
    try GatewayEnrolment(
      ClientConfiguration(url: gate.url), state: state.directory, clock: clock.clock)
  }

  private func digest(of token: SecretBytes) throws -> [UInt8] {
    let digest = try token.withBytes { bytes throws(CryptoError) in try SHA256.digest(of: bytes) }
    return digest.indices.map { digest[$0] }
  }

  @Test func offersItselfUntilSomebodyHasScanned() async throws {
    let gate = try EnrolmentGate { $0 < 4 ? Self.unscanned : nil }
    let enrolment = try #require(try gateway(at: gate))
    let updates = enrolment.updates
    enrolment.start()
    let token = try await enrolment.token()
    #expect(TokenText.isToken(token.text, of: "gateway"))
    let digest = try digest(of: token)
    let offers = gate.offers
    #expect(offers.count == 4)
    #expect(offers.allSatisfy { $0.isSigned && $0.tokenDigest == digest })
    #expect(clock.waited >= .seconds(30))
    var told: [EnrolmentUpdate] = []
    for await update in updates { told.append(update) }
    let print = try await GatewayKey(in: state.directory).print
    #expect(
      told == [.offering(print), .enrolled(tokenFile: state.path + "/gateway.token")])
    // From now on it has a token.
    #expect(try gateway(at: gate) == nil)
    await gate.stop()
  }

  @Test func tellsOnceWhyItIsNotTaken() async throws {
    let gate = try EnrolmentGate { $0 < 4 ? Self.busy : $0 < 6 ? Self.unscanned : nil }
    let enrolment = try #require(try gateway(at: gate))
    let updates = enrolment.updates
    enrolment.start()
    var codes: [String] = []
    for await update in updates {
      if case .refused(let error) = update { codes.append(error.problem?.code ?? "") }
    }
    #expect(codes == ["busy"])
    #expect(gate.offers.count == 6)
    await gate.stop()
  }

  /// A token that was revoked, or before which another one came, is none that a scan makes good.
  @Test func offersAnotherTokenWhereTheFirstIsSuperseded() async throws {
    let gate = try EnrolmentGate { $0 < 2 ? Self.superseded : nil }
    let enrolment = try #require(try gateway(at: gate))
    enrolment.start()
    let digest = try digest(of: try await enrolment.token())
    let offers = gate.offers.map(\.tokenDigest)
    #expect(offers.count == 2 && offers.first != digest && offers.last == digest)
    await gate.stop()
  }

  @Test func offersTheSameTokenAfterANewStart() async throws {
    let gate = try EnrolmentGate { _ in Self.busy }
    for _ in 0..<2 {
      let enrolment = try #require(try gateway(at: gate))
      let updates = enrolment.updates
      enrolment.start()
      for await update in updates {
        if case .refused = update { enrolment.stop() }
      }
      await #expect(throws: BackendError.self) { try await enrolment.token() }
    }
    #expect(gate.offers.count >= 2)
    #expect(Set(gate.offers.map(\.tokenDigest)).count == 1)
    await gate.stop()
  }

  @Test func saysThatItCannotKeepItsKey() async throws {
    let enrolment = try #require(
      try GatewayEnrolment(
        ClientConfiguration(url: "http://127.0.0.1:1"),
        state: StateDirectory(path: "/dev/null/luna"), clock: clock.clock))
    let updates = enrolment.updates
    enrolment.start()
    var told: [EnrolmentUpdate] = []
    for await update in updates { told.append(update) }
    guard case .failed(let error)? = told.first, told.count == 1 else {
      return fail("told \(told)")
    }
    #expect(error.kind == .local)
    // Nobody waits for a token that will not come.
    await #expect(throws: BackendError.self) { try await enrolment.token() }
  }

  /// Who wants to know what becomes of it waits for nothing that is over, or was never begun.
  @Test func hasNothingToTellAfterItsEnd() async throws {
    let gate = try EnrolmentGate { _ in nil }
    let over = try #require(try gateway(at: gate))
    let before = over.updates
    over.stop()
    for await update in before { fail("told \(update)") }
    for await update in over.updates { fail("told \(update)") }
    let enrolment = try #require(try gateway(at: gate))
    let updates = enrolment.updates
    enrolment.start()
    for await _ in updates {}
    for await update in enrolment.updates { fail("told \(update)") }
    await gate.stop()
  }

  /// A rotation may take the file away before it writes another one: nobody wakes who would wait for that.
  @Test func waitsForNoTokenThatWasTakenAway() async throws {
    let gate = try EnrolmentGate { _ in nil }
    let enrolment = try #require(try gateway(at: gate))
    let updates = enrolment.updates
    enrolment.start()
    for await _ in updates {}
    _ = try await enrolment.token()
    let file = state.path + "/gateway.token"
    #expect(rename(file, file + ".old") == 0)
    await #expect(throws: BackendError.self) { try await enrolment.token() }
    #expect(rename(file + ".old", file) == 0)
    _ = try await enrolment.token()
    await gate.stop()
  }

  @Test func whoHasEnoughWaitsForNoToken() async throws {
    let gate = try EnrolmentGate { _ in nil }
    let enrolment = try #require(try gateway(at: gate))
    for pause in [0, 100] {
      let task = Task { try await enrolment.token() }
      for _ in 0..<pause { await Task.yield() }
      task.cancel()
      await #expect(throws: BackendError.self) { try await task.value }
    }
    await gate.stop()
  }

  /// However long a server asks for.
  @Test func offersItselfAgainWithinAnHour() async throws {
    let gate = try EnrolmentGate {
      $0 < 2 ? ProblemDocument(503, "busy", "The server is busy.", retryAfter: 1_000_000) : nil
    }
    let enrolment = try #require(try gateway(at: gate))
    enrolment.start()
    _ = try await enrolment.token()
    #expect(clock.waited == .seconds(3600))
    await gate.stop()
  }

  @Test func beginsOnceAndNotAfterItsEnd() async throws {
    let gate = try EnrolmentGate { _ in nil }
    let over = try #require(try gateway(at: gate))
    over.stop()
    over.start()
    await #expect(throws: BackendError.self) { try await over.token() }
    let enrolment = try #require(try gateway(at: gate))
    enrolment.start()
    enrolment.start()
    _ = try await enrolment.token()
    #expect(gate.offers.count == 1)
    await gate.stop()
  }
}
