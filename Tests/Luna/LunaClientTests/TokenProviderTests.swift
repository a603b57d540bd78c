import Diagnosis
import LunaCore
import LunaCrypto
import LunaTesting
import Synchronization
import Testing

@testable import LunaClient

@Suite("A token that somebody else provides", .timeLimit(.minutes(10)))
struct TokenProviderTests {
  /// Numbered tokens.
  private final class Provider: TokenProvider {
    private let number = Mutex(1)
    let refused = Mutex<[SecretBytes]>([])
    private let renews: Bool

    init(renews: Bool) { self.renews = renews }

    func token() async throws(BackendError) -> SecretBytes {
      SecretBytes(copying: Array("token-\(number.withLock { $0 })".utf8).span)
    }

    func renew(after token: SecretBytes) async -> Bool {
      refused.withLock { $0.append(token) }
      number.withLock { $0 += 1 }
      return renews
    }
  }

  private func client(_ server: ScriptedServer, _ provider: Provider) throws -> BackendClient {
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    return try BackendClient(configuration, token: .provider(provider))
  }

  private let good = Answers.json(
    #"{"results":[],"commandRequests":[]}"#, headers: "Connection: close\r\n")
  private let refusal = Answers.problem(401, headers: "Connection: close\r\n")

  @Test("Each request asks for it; a refused one is renewed, and the request made again")
  func renewal() async throws {
    let server = ScriptedServer([good, refusal, good])
    let provider = Provider(renews: true)
    let client = try client(server, provider)
    _ = try await client.upload(EventBatch([]))
    _ = try await client.upload(EventBatch([]))
    let tokens = server.requests.map { $0.contains("Bearer token-1\r\n") ? 1 : 2 }
    #expect(tokens == [1, 1, 2])
    #expect(provider.refused.withLock { $0 } == [SecretBytes(copying: Array("token-1".utf8).span)])
  }

  @Test("Once, and not at all where there is no other")
  func once() async throws {
    for renews in [true, false] {
      let server = ScriptedServer(renews ? [refusal, refusal] : [refusal])
      let client = try client(server, Provider(renews: renews))
      let error = await #expect(throws: BackendError.self) {
        try await client.upload(EventBatch([]))
      }
      #expect(error?.kind == .refused)
      // Nobody has mistyped a token.
      #expect(error?.remedy?.steps.contains(.signIn) == true, "\(error as Any)")
      #expect(server.requests.count == (renews ? 2 : 1))
    }
  }
}
