import Bluetooth
import Diagnosis
import Glibc
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaClient

@Suite(.timeLimit(.minutes(10))) struct BackendClientTests {
  private let token = TokenSource.token(SecretBytes(copying: Array("secret-token".utf8).span))

  private func client(
    _ server: ScriptedServer, timeout: Duration = .seconds(50)
  ) throws -> BackendClient {
    var configuration = ClientConfiguration(url: server.url)
    configuration.totalTimeout = timeout
    configuration.connectTimeout = timeout
    configuration.proxy = "-"
    return try BackendClient(configuration, token: token)
  }

  private func event() -> TrackerEvent {
    TrackerEvent(
      heid: HEID(high: 1, low: 2), encodedLocation: [UInt8](repeating: 1, count: 61),
      esf: ESF(value: 5), day: Day(number: 20_778))
  }

  private func failure(of answer: String?) async throws -> BackendError? {
    let server = ScriptedServer([answer])
    // Only silence is to run into it.
    let client = try client(server, timeout: .seconds(answer == nil ? 1 : 50))
    do throws(BackendError) {
      _ = try await client.upload(EventBatch([event()]))
      return nil
    } catch {
      return error
    }
  }

  @Test func sendsTheTokenAndTheEventsAndReadsTheReply() async throws {
    let server = ScriptedServer([
      Answers.json(#"{"results":[{"index":0,"status":"duplicate"}],"commandRequests":[]}"#)
    ])
    let reply = try await client(server).upload(EventBatch([event()], batchID: "b"))
    #expect(reply.outcomes == [.duplicate])
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("POST /trackerEvent HTTP/1.1\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer secret-token\r\n"))
    #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    #expect(request.contains(#""batchId":"b""#))
    #expect(!request.contains("Expect:"))
  }

  /// What portals, proxies and broken backends say in the place of an answer: never is an event taken
  /// for stored, and none of it is an explanation that the backend gave.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 19\r\n\r\n<html>Log in</html>",
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
    Answers.json("{}"), Answers.json("[]"), Answers.json("null"), Answers.json("\"ok\""),
    Answers.json(#"{"results":[]}"#), Answers.json(#"{"results":{}}"#),
    Answers.json(#"{"results":[{"index":1,"status":"accepted"}]}"#),
    Answers.json(#"{"results":[{"index":-1,"status":"accepted"}]}"#),
    Answers.json(#"{"results":[{"index":0}]}"#),
    Answers.json(#"{"results":[{"index":0,"status":"sure"}]}"#),
    Answers.json(#"{"results":[{"index":0,"status":"accepted"}"#),
    Answers.json(String(repeating: "[", count: 100_000)),
    Answers.json(String(repeating: " ", count: 9 << 20)),
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
    "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 413 X\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 511 X\r\nContent-Type: application/problem+json\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n", "not HTTP at all\r\n\r\n", "",
  ])
  func whateverComesInsteadIsAFailure(_ answer: String) async throws {
    let error = try await failure(of: answer)
    #expect(error != nil)
    #expect(error?.isExplained == false)
  }

  @Test func followsNoRedirect() async throws {
    let other = ScriptedServer([Answers.json("{}")])
    for status in [301, 302, 303, 307, 308] {
      let error = try await failure(
        of: "HTTP/1.1 \(status) X\r\nLocation: \(other.url)/x\r\nContent-Length: 0\r\n\r\n")
      #expect(error?.kind == .redirected)
      #expect(error?.status == status)
    }
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [
    (400, BackendError.Kind.malformed), (401, .refused), (403, .refused), (404, .notFound),
    (409, .notFound), (413, .malformed), (415, .malformed), (429, .busy), (500, .failed),
    (502, .failed), (503, .busy),
  ])
  func saysWhatAStatusMeans(status: Int, kind: BackendError.Kind) async throws {
    let error = try await failure(of: Answers.problem(status, headers: "Retry-After: 17\r\n"))
    #expect(error?.kind == kind)
    #expect(error?.status == status)
    #expect(error?.retryAfter == 17)
    #expect(error?.isExplained == true)
    #expect(error?.reason.contains("what to do") == true)
    #expect(error?.isTemporary == [.busy, .failed].contains(kind))
    #expect(error?.description.contains("secret-token") == false)
  }

  /// Another token is of no use to whom nobody has linked yet, nor to a gateway that was removed.
  @Test(
    arguments: [
      ("tokenKind", "use a token of that kind"), ("gatewayRemoved", nil),
      ("unknownSubject", "have who runs it use the tools of the backend to link them"),
    ] as [(String, String?)])
  func saysWhatHelpsWhoIsNotAllowed(code: String, remedy: String?) async throws {
    let error = try await failure(of: Answers.problem(403, code: code))
    #expect(error?.kind == .refused && error?.remedy?.description == remedy)
  }

  /// A date counts by the server's clock, whichever of the two it tells first; one that has passed is now.
  @Test(arguments: [
    ("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:51:07 GMT\r\n", 90),
    ("Retry-After: Sun, 06 Nov 1994 08:51:07 GMT\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 90),
    ("Retry-After: Sunday, 06-Nov-94 08:51:07 GMT\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 90),
    ("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 0),
  ])
  func whenToTryAgainMayBeADate(headers: String, seconds: Int) async throws {
    let error = try await failure(of: Answers.problem(503, headers: headers))
    #expect(error?.retryAfter == seconds)
  }

  /// Its microseconds would be more than there are numbers.
  @Test func aDateOfADistantYearIsNone() async throws {
    let server = ScriptedServer([
      Answers.json(
        #"{"results":[],"commandRequests":[]}"#,
        headers: "Date: Sun, 06 Nov 999999 08:49:37 GMT\r\n")
    ])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    let client = try BackendClient(configuration, token: .none)
    _ = try await client.upload(EventBatch([]))
    #expect(client.clockOffset == nil)
  }

  /// Of what may have been done already, the backend is told that it is the same.
  @Test func whatIsToBeDoneOnceKeepsItsKey() async throws {
    let reply = Answers.json(#"{"gateway":"kitchen","token":"t"}"#, status: "201 Created")
    let server = ScriptedServer([
      Answers.problem(503), "", reply, Answers.problem(403), Answers.problem(503), reply,
    ])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    configuration.pauses = [.zero, .zero]
    let client = try BackendClient(configuration, token: .none)
    #expect(try await client.enrol(code: "c").token == "t")
    // What is refused was not done.
    await #expect {
      _ = try await client.enrol(code: "c")
    } throws: { ($0 as? BackendError)?.kind == .refused }
    #expect(try await client.enrol(code: "c").token == "t")
    let keys = server.requests.map { request in
      request.split(separator: "\r\n").first { $0.hasPrefix("Idempotency-Key: ") }
    }
    #expect(keys.count == 6 && !keys.contains(nil))
    #expect(Set(keys).count == 3)
    #expect(Set(keys[..<3]).count == 1 && keys[4] == keys[5])
  }

  @Test func whatTheOtherSideSaysCannotDisturbATerminal() async throws {
    let error = try await failure(
      of: Answers.problem(
        400, detail: "a\u{1B}[2Jb\nc\u{202E}" + String(repeating: "x", count: 900)))
    let reason = try #require(error?.reason)
    #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    #expect(reason.count < 500)
  }

  @Test func findsBrokenAnswers() async throws {
    #expect(try await failure(of: "")?.kind == .interrupted)
    #expect(try await failure(of: nil)?.kind == .interrupted)
    #expect(
      try await failure(of: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")?.kind == .interrupted
    )
    #expect(try await failure(of: Answers.json("not json"))?.kind == .answer)
    #expect(try await failure(of: Answers.json("{}"))?.kind == .answer)
    #expect(try await failure(of: Answers.json(#"{"results":[]}"#))?.kind == .answer)
    let twice = #"{"results":[{"index":7,"status":"accepted"}]}"#
    #expect(try await failure(of: Answers.json(twice))?.kind == .answer)
  }

  @Test func readsNoEndlessAnswer() async throws {
    let server = ScriptedServer([Answers.json("[" + String(repeating: "1,", count: 50_000) + "1]")])
    var configuration = ClientConfiguration(url: server.url)
    configuration.answerLimit = 10_000
    configuration.proxy = "-"
    let client = try BackendClient(configuration, token: token)
    await #expect {
      try await client.upload(EventBatch([event()]))
    } throws: { ($0 as? BackendError)?.kind == .answer }
  }

  @Test func saysThatNobodyListens() async throws {
    // A port that is free, or will be in a moment.
    let url = ScriptedServer([]).url
    var configuration = ClientConfiguration(url: url)
    configuration.proxy = "-"
    let client = try BackendClient(configuration, token: token)
    await #expect {
      try await client.status(of: "00")
    } throws: { error in
      [.unreachable, .interrupted].contains((error as? BackendError)?.kind)
    }
  }

  /// Who has all the time there is may say so.
  @Test func takesAnyLimit() async throws {
    let server = ScriptedServer(["HTTP/1.1 204 No Content\r\n\r\n"])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    configuration.connectTimeout = .seconds(Int64.max)
    configuration.totalTimeout = .seconds(Int64.max)
    let client = try HTTPClient(configuration)
    let answer = try await client.send("GET", server.url, within: .seconds(Int64.max))
    #expect(answer.status == 204)
  }

  @Test(arguments: [
    "http://luna.example", "ftp://127.0.0.1", "luna.example", "https://",
    "https://u:p@luna.example",
    "https://luna.example/?a=b", "https://luna.example#x", "http://127.0.0.1.example",
    "http://127.0.0.1@luna.example", "https://lu na", "http://localhost.example", "",
    "http://1270.0.0.1", "http://127.0.0.1\r\nX: y",
  ])
  func speaksOnlyToWhomItMay(url: String) {
    #expect {
      _ = try BackendClient(ClientConfiguration(url: url), token: .none)
    } throws: { error in
      let error = error as? BackendError
      return error?.kind == .address && error?.description.contains("u:p") == false
    }
  }

  @Test func plainHTTPIsForLoopbackUnlessAllowed() throws {
    for url in ["http://127.0.0.1:8080/", "http://[::1]:8080", "http://localhost", "https://a/b/"] {
      _ = try BackendClient(ClientConfiguration(url: url), token: .none)
    }
    var configuration = ClientConfiguration(url: "http://luna.example/base/")
    configuration.allowsInsecure = true
    #expect(try BackendClient(configuration, token: .none).address == "http://luna.example/base")
  }

  @Test func readsTheTokenFromAFileEachTime() async throws {
    let folder = TestFolder()
    let path = folder.path + "/token"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    func write(_ text: String) {
      ftruncate(descriptor, 0)
      pwrite(descriptor, text, text.utf8.count, 0)
    }
    let server = ScriptedServer([Answers.problem(401), Answers.problem(401)])
    var configuration = ClientConfiguration(url: server.url)
    configuration.proxy = "-"
    let client = try BackendClient(configuration, token: .file(path))
    for text in ["first\n", " second \r\n"] {
      write(text)
      _ = try? await client.status(of: "ab/../c")
    }
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.contains("\r\nAuthorization: Bearer first\r\n") == true)
    #expect(server.requests.last?.contains("\r\nAuthorization: Bearer second\r\n") == true)
    #expect(server.requests.first?.hasPrefix("GET /v1/commands/abc ") == true)
    for text in ["", "\n", "a b", "a\r\nX-Evil: 1", "a\u{0}b"] {
      write(text)
      await #expect {
        try await client.status(of: "00")
      } throws: { ($0 as? BackendError)?.kind == .local }
    }
    let missing = try BackendClient(configuration, token: .file(path + ".none"))
    await #expect {
      try await missing.status(of: "00")
    } throws: { ($0 as? BackendError)?.kind == .local }
    #expect(server.requests.count == 2)
  }

  /// A question may have less time than the client has, and never has more.
  @Test(arguments: [
    (Duration.seconds(200), Duration.milliseconds(200)), (.seconds(1), .seconds(200)),
  ])
  func aQuestionHasALimitOfItsOwn(client: Duration, question: Duration) async throws {
    let server = ScriptedServer([nil])
    let client = try self.client(server, timeout: client)
    let began = ContinuousClock.now
    await #expect {
      try await client.status(of: "00", within: question)
    } throws: { ($0 as? BackendError)?.kind == .interrupted }
    #expect(began.duration(to: .now) < .seconds(150))
  }
}
