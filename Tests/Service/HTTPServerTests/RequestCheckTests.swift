import LunaJSON
import Testing

@testable import HTTPServer

@Suite struct RequestCheckTests {
  private func problem(
    _ method: String, _ target: String, _ version: String, _ headers: [(String, String)]
  ) -> ProblemDocument? {
    let headers = headers.map { HTTPHeader($0.0.utf8, $0.1.utf8) }
    return RequestCheck.problem(
      with: HTTPHead(method: method, target: target, version: version, headers: headers),
      limits: HTTPLimits())
  }

  private func problem(_ headers: [(String, String)]) -> ProblemDocument? {
    problem("POST", "/trackerEvent", "HTTP/1.1", headers)
  }

  private func problem(
    _ method: String, _ target: String, _ headers: [(String, String)]
  ) -> ProblemDocument? {
    problem(method, target, "HTTP/1.1", headers)
  }

  @Test func takesWhatIsGood() {
    #expect(problem([("Host", "x"), ("Content-Length", "2")]) == nil)
    #expect(problem([("host", "x"), ("transfer-encoding", "Chunked")]) == nil)
    #expect(problem("GET", "/healthz", "HTTP/1.0", []) == nil)
    #expect(problem([("Host", "x"), ("Expect", "100-Continue"), ("content-length", "2")]) == nil)
  }

  @Test(arguments: [
    [("Content-Length", "2"), ("Transfer-Encoding", "chunked")],
    [("Content-Length", "2"), ("Content-Length", "2")],
    [("Content-Length", "2"), ("content-length", "3")],
    [("Content-Length", "2, 2")], [("Content-Length", "+2")], [("Content-Length", "0x2")],
    [("Content-Length", "")], [("Content-Length", " 2")], [("Content-Length", "-1")],
    [("Content-Length", "99999999999999999999")],
    [("Content-Length ", "2")], [("Transfer-Encoding\t", "chunked")], [("", "x")],
    [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
    [("X", "a\rContent-Length: 2")], [("X", "a\nb")], [("X", "a\u{0}b")], [("X\u{0}", "a")],
    [("Host", "y")], [("Authorization", "a"), ("Authorization", "b")],
    [("Content-Type", "a"), ("Content-Type", "a")],
  ])
  func refusesWhatTwoReadersCouldReadDifferently(headers: [(String, String)]) {
    #expect(problem([("Host", "x")] + headers)?.status == 400)
  }

  @Test(arguments: ["xchunked", "gzip, chunked", "chunked, chunked", "identity", " chunked", ""])
  func knowsOneTransferCoding(coding: String) {
    #expect(problem([("Host", "x"), ("Transfer-Encoding", coding)])?.status == 501)
  }

  @Test func refusesWhatIsNotPlain() {
    let fields = [HTTPHeader("Host".utf8, "x".utf8)]
    var head = HTTPHead(method: "GET", target: "/", version: "HTTP/1.1", headers: fields)
    head.isPlain = false
    #expect(RequestCheck.problem(with: head, limits: HTTPLimits())?.status == 400)
    head.isPlain = true
    head.size = HTTPLimits().headBytes + 1
    #expect(RequestCheck.problem(with: head, limits: HTTPLimits())?.status == 431)
    #expect(
      problem([("Host", "x")] + (0..<100).map { ("X\($0)", "") })?.status == 431)
    for method in ["", "G T", "G@T", "G\u{E4}T"] {
      #expect(problem(method, "/", [("Host", "x")])?.status == 400)
    }
    for host in ["", "x/y", "a b", "x,y", "a@b"] {
      #expect(problem("GET", "/", [("Host", host)])?.status == 400)
    }
    for host in ["x", "x:80", "[::1]:8080", "192.0.2.1", "a-b.c_d"] {
      #expect(problem("GET", "/", [("Host", host)]) == nil)
    }
    #expect(problem([("Host", "x"), ("Expect", "100-continue"), ("Expect", "x")])?.status == 400)
  }

  @Test func refusesOtherVersionsTargetsAndExpectations() {
    #expect(problem("GET", "/", "HTTP/1.2", [("Host", "x")])?.status == 505)
    #expect(problem("POST", "/", "HTTP/1.0", [("Transfer-Encoding", "chunked")])?.status == 400)
    #expect(problem("GET", "http://x/", [("Host", "x")])?.status == 400)
    #expect(problem("GET", "*", [("Host", "x")])?.status == 400)
    #expect(problem("GET", "/a b", [("Host", "x")])?.status == 400)
    #expect(problem("GET", "/", [])?.status == 400)
    let long = "/" + String(repeating: "a", count: 3000)
    #expect(problem("GET", long, [("Host", "x")])?.status == 414)
    #expect(problem([("Host", "x"), ("Expect", "200-ok")])?.status == 417)
    #expect(problem([("Host", "x"), ("Content-Length", "1048577")])?.status == 413)
  }
}
