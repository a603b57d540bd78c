import Bluetooth
import LunaCore
import LunaCrypto
import LunaTesting
import Testing

@testable import LunaClient

/// A backend that is only asked whether it is there and knows the token.
@Suite(.timeLimit(.minutes(10))) struct BackendExaminationTests {
  private static let now: Int64 = 1_790_000_000

  private let clock = WallClock(
    now: { Timestamp(microseconds: now * 1_000_000) }, elapsed: { .zero }, sleep: { _ in })

  private func examine(
    _ answers: [String?], as role: TokenSource.Role = .gateway,
    token: TokenSource = .token(SecretBytes(copying: Array("t".utf8).span))
  ) async throws -> BackendExamination {
    let server = ScriptedServer(answers)
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    configuration.totalTimeout = .seconds(answers.contains(nil) ? 1 : 50)
    let client = try BackendClient(configuration, token: token)
    return await client.examine(as: role, clock: clock)
  }

  private let date = "Date: Mon, 21 Sep 2026 13:33:25 GMT\r\n"
  private var there: String { Answers.json("{}", headers: date) }
  private let nothing = Answers.json(#"{"results":[],"commandRequests":[]}"#)

  @Test func isWell() async throws {
    let found = try await examine([there, nothing])
    #expect(found == BackendExamination(secondsAhead: 1_789_997_605 - Self.now))
  }

  /// Who only talks to a backend has one connection and one thread for it.
  @Test func looksOverAConnectionThatIsMadeThen() async throws {
    let server = ScriptedServer([nothing, there])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    configuration.totalTimeout = .seconds(50)
    let client = try BackendClient(configuration, token: .none)
    _ = try await client.upload(EventBatch([]))
    #expect(!client.look.isOpen)
    try await client.reach()
    #expect(client.look.isOpen)
  }

  @Test func hasNoClock() async throws {
    let found = try await examine([Answers.json("{}"), nothing])
    #expect(found == BackendExamination())
  }

  @Test(arguments: [
    "Date: yesterday\r\n", "Date: \r\n", "Date: -1\r\n",
    "Date: Sun, 06 Nov 999999 08:49:37 GMT\r\n",
  ])
  func hasAClockThatIsNone(header: String) async throws {
    let found = try await examine([Answers.json("{}", headers: header), nothing])
    #expect(found == BackendExamination())
  }

  @Test func doesNotKnowTheToken() async throws {
    let found = try await examine([there, Answers.problem(401)])
    #expect(found.problem == nil && found.refusal?.kind == .refused)
  }

  @Test func doesNotAnswer() async throws {
    let found = try await examine([nil])
    #expect(found.problem?.kind == .interrupted && found.secondsAhead == nil)
  }

  @Test func isNoBackend() async throws {
    let found = try await examine([Answers.problem(404)])
    #expect(found.problem?.kind == .notFound)
  }

  @Test func hasNoTokenToShow() async throws {
    let found = try await examine([there], token: .file("/nonexistent/token"))
    #expect(found.problem == nil && found.refusal?.kind == .local)
  }

  /// A command that there is not was asked for by somebody who may ask.
  @Test(arguments: [(404, nil), (403, BackendError.Kind.refused)])
  func tellsAnOwner(status: Int, refusal: BackendError.Kind?) async throws {
    let found = try await examine([there, Answers.problem(status)], as: .owner)
    #expect(found.problem == nil && found.refusal?.kind == refusal)
  }
}
