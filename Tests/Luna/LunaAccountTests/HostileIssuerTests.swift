import Bluetooth
import LunaClient
import LunaTesting
import Testing

@testable import LunaAccount

/// What stands in an issuer's place: portals, proxies, broken servers. None of it signs anybody out.
@Suite("A hostile issuer", .timeLimit(.minutes(10)))
struct HostileIssuerTests {
  private let state = TemporaryState()
  private let clock = HandClock()

  /// An answer to the question where the endpoints are, and then another one to the renewal.
  private func server(
    _ answer: String?, within limit: Duration
  ) throws -> (ScriptedServer, LunaAccount) {
    // Its address has to be in what it says: the port is known only when it listens.
    let document = #"{"issuer":"ISSUER","token_endpoint":"ISSUER/token"}"#
    let server = ScriptedServer { url in
      let body = document.replacing("ISSUER", with: url)
      return [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", answer,
      ]
    }
    var configuration = AccountConfiguration()
    configuration.state = state.directory
    configuration.clock = clock.clock
    configuration.client.totalTimeout = limit
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    try file.write(Samples.credential(issuer: server.url))
    clock.now = 2_000_000
    return (server, LunaAccount(clientID: "luna", configuration))
  }

  @Test(
    "Kept, and told as what it is",
    arguments: [
      (nil, AccountError.Code.network), ("", .network), ("not HTTP at all\r\n\r\n", .network),
      ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"access_token\":\"a\"", .network),
      ("HTTP/1.1 400 X\r\nContent-Length: 100\r\n\r\n{\"error\":\"invalid_grant\"", .network),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .network),
      (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        .undecodable
      ),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
          + String(repeating: "x", count: 300_000),
        .undecodable
      ),
      (
        "HTTP/1.1 400 X\r\nContent-Length: 99999999\r\n\r\n"
          + String(repeating: "x", count: 300_000),
        .server
      ),
      (
        "HTTP/1.1 302 X\r\nLocation: http://localhost:1/token\r\nContent-Length: 0\r\n\r\n", .server
      ),
      (
        "HTTP/1.1 307 X\r\nLocation: http://localhost:1/token\r\nContent-Length: 0\r\n\r\n", .server
      ),
      ("HTTP/1.1 511 X\r\nContent-Length: 0\r\n\r\n", .server),
    ] as [(String?, AccountError.Code)])
  func kept(_ answer: String?, _ code: AccountError.Code) async throws {
    // Only silence is to run into it, and until it has come as far as that, however slow the machine is.
    var (limit, requests) = (Duration.seconds(answer == nil ? 1 : 300), 0)
    repeat {
      let (server, account) = try server(answer, within: limit)
      await #expect { try await account.token(.accessToken) } throws: {
        ($0 as? AccountError)?.code == code
      }
      #expect(try CredentialFile(state: state.directory, profile: "default").read() != nil)
      requests = server.requests.count
      #expect(try await account.identity() != nil)
      limit *= 2
    } while requests < 2 && limit < .seconds(100)
    #expect(requests == 2)
  }

  @Test(
    "What it says of itself is as hostile",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
      "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + String(repeating: " ", count: 300_000),
      "HTTP/1.1 302 X\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n", "",
    ])
  func discovery(_ answer: String) async throws {
    let server = ScriptedServer([answer, answer])
    var configuration = AccountConfiguration()
    configuration.state = state.directory
    configuration.clock = clock.clock
    let file = try CredentialFile(state: state.directory, profile: "default")
    try file.prepare()
    try file.write(Samples.credential(issuer: server.url))
    clock.now = 2_000_000
    let account = LunaAccount(clientID: "luna", configuration)
    await #expect(throws: AccountError.self) { try await account.token(.accessToken) }
    #expect(try file.read() != nil)
    #expect(server.requests.allSatisfy { !$0.contains("refresh-1") })
  }
}
