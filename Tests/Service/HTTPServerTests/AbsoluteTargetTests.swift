import LunaJSON
import Testing

@testable import HTTPServer

/// Requests for a whole address, as a proxy gets them (RFC 9112, 3.2.2).
@Suite struct AbsoluteTargetTests {
  private func head(
    _ target: String, hosts: [String] = ["other"], version: String = "HTTP/1.1"
  ) -> HTTPHead {
    HTTPHead(
      method: "GET", target: target, version: version,
      headers: hosts.map { HTTPHeader("host".utf8, $0.utf8) }
    ).inOriginForm
  }

  @Test(arguments: [
    ("http://x/a?b=/c", "/a?b=/c", "x"), ("HTTPS://x:80/", "/", "x:80"), ("http://x", "/", "x"),
    ("http://x?b", "/?b", "x"), ("http://[::1]:8470//a", "//a", "[::1]:8470"),
    ("/http://x/", "/http://x/", "other"), ("//x/", "//x/", "other"),
  ])
  func itsAuthorityTakesThePlaceOfHost(target: String, path: String, host: String) {
    let head = head(target)
    #expect(head.target == path && head.headers.count == 1 && head.first("host") == host)
    #expect(RequestCheck.problem(with: head, limits: HTTPLimits()) == nil)
  }

  @Test(arguments: [
    "http:///a", "http://", "http://a@x/", "http://x#a", "http://x y/", "http:/x", "ftp://x/",
    "http://x/a b", "http://\u{E4}/",
  ])
  func refusesWhatIsNoAddressOfAServer(target: String) {
    #expect(RequestCheck.problem(with: head(target), limits: HTTPLimits())?.status == 400)
  }

  @Test func aHostIsNeededAndCheckedAllTheSame() {
    func status(_ hosts: [String], _ version: String = "HTTP/1.1") -> Int? {
      let head = head("http://x/", hosts: hosts, version: version)
      return RequestCheck.problem(with: head, limits: HTTPLimits())?.status
    }
    #expect(status([]) == 400 && status(["y", "x"]) == 400 && status(["a/b"]) == 400)
    #expect(status([], "HTTP/1.0") == nil)
    #expect(head("http://x/", hosts: [], version: "HTTP/1.0").first("host") == "x")
  }

  @Test func isAnsweredOverTheWire() async throws {
    let listener = HTTPListener { request in
      let head = request.head
      return HTTPResponse(
        200, "text/plain", Array("\(head.path) of \(head.first("host") ?? "").".utf8))
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let client = try Client(address)
    client.get("http://evil.example:1/a?b&c=d")
    #expect(await client.answer(until: "/a of evil.example:1.").hasPrefix("HTTP/1.1 200 "))
    client.get("ftp://x/a")
    #expect(await client.answer(until: "\r\n").hasPrefix("HTTP/1.1 400 "))
    #expect(await listener.stop(within: .seconds(300)))
  }
}
