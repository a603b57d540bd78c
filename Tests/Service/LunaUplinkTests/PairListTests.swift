import Diagnosis
import LunaTesting
import Testing

@testable import LunaUplink
@testable import UplinkProtocol

/// The list of pairs of a backend, against a scripted one.
@Suite(.timeLimit(.minutes(10))) struct PairListTests {
  private func backend(_ body: String, status: String = "200 OK") -> ScriptedServer {
    ScriptedServer(["HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"])
  }

  private func kind(_ server: ScriptedServer) async -> LocalizationError.Kind? {
    do throws(LocalizationError) {
      _ = try await PairList(server.url, token: "secret").ask()
      return nil
    } catch {
      #expect(!error.diagnosis.problem.contains("secret") && error.remedy != nil)
      return error.kind
    }
  }

  @Test func isAskedWithTheToken() async throws {
    let server = backend(
      #"{"pairs":[["https://one.example","https://two.example:8443"],["https://a","http://b"],"#
        + #"["https://a"],7,["https://c","https://d"]]}"#)
    // What is no pair is left out.
    let pairs = try await PairList(server.url + "/", token: "secret").ask()
    #expect(
      pairs == [["https://one.example", "https://two.example:8443"], ["https://c", "https://d"]])
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("GET /v1/uplink/pairs HTTP/1.1\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer secret\r\n"))
  }

  @Test func noMoreThanFourAreTried() async throws {
    let many = [String](repeating: #"["https://c","https://d"]"#, count: 9).joined(separator: ",")
    #expect(
      try await PairList(backend(#"{"pairs":[\#(many)]}"#).url, token: "secret").ask().count == 4)
  }

  @Test(arguments: [
    ("{}", LocalizationError.Kind.pairMalformed), ("<html>", .pairMalformed), ("", .pairMalformed),
    (#"{"pairs":{}}"#, .pairMalformed), (#"{"pairs":[]}"#, .noPair),
    (#"{"pairs":[["https://a/b","https://c"]]}"#, .pairMalformed),
  ])
  func isNone(_ body: String, _ expected: LocalizationError.Kind) async {
    #expect(await kind(backend(body)) == expected)
  }

  @Test func failuresAreNamed() async {
    #expect(await kind(backend("", status: "404 Not Found")) == .noPair)
    #expect(await kind(backend("", status: "401 Unauthorized")) == .pairRefused)
    // It is not followed.
    #expect(await kind(backend("", status: "302 Found")) == .pairRefused)
    #expect(await kind(ScriptedServer([""])) == .pairRequestFailed)
  }
}
