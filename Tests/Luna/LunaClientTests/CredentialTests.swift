import Foundation
import LunaCore
import LunaCrypto
import LunaTesting
import Synchronization
import Testing

@testable import LunaClient

@Suite("Another credential than the one that was refused", .timeLimit(.minutes(10)))
struct CredentialTests {
  private final class Provider: TokenProvider {
    let text = Mutex("first")

    func token() async throws(BackendError) -> SecretBytes {
      SecretBytes(copying: Array(text.withLock(\.self).utf8).span)
    }

    func renew(after refused: SecretBytes) async -> Bool { false }
  }

  private func refusedClient(_ token: TokenSource, status: Int = 401) async throws -> BackendClient
  {
    let server = ScriptedServer([Answers.problem(status, headers: "Connection: close\r\n")])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    let client = try BackendClient(configuration, token: token)
    await #expect(throws: BackendError.self) { try await client.upload(EventBatch([])) }
    return client
  }

  @Test("A file with another token is noticed", arguments: [401, 403])
  func file(status: Int) async throws {
    let folder = TestFolder()
    let path = folder.path + "/gateway.token"
    func write(_ token: String) throws {
      try Data(token.utf8).write(to: URL(fileURLWithPath: path))
    }
    try write("luna-gateway-1\n")
    let client = try await refusedClient(.file(path), status: status)
    #expect(await !client.hasAnotherCredential())
    try write("luna-gateway-2\n")
    #expect(await client.hasAnotherCredential())
    try FileManager.default.removeItem(atPath: path)
    #expect(await !client.hasAnotherCredential())
  }

  @Test("Somebody who has signed in again is noticed")
  func account() async throws {
    let provider = Provider()
    let client = try await refusedClient(.provider(provider))
    #expect(await !client.hasAnotherCredential())
    provider.text.withLock { $0 = "second" }
    #expect(await client.hasAnotherCredential())
  }
}
