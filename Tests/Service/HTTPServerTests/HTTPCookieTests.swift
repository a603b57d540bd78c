import Testing

@testable import HTTPServer

@Suite("Cookies")
struct HTTPCookieTests {
  @Test(
    "What a browser sends",
    arguments: [
      ("a=1; b=2", "1"), ("b=2;a=1", "1"), (" a=1 ;b=2", "1"), ("a=\"x\"", "x"), ("a=", ""),
      ("b=a=1", nil), ("A=1", nil), ("", nil), ("a", nil), ("a=1; a=1", nil), ("aa=1", nil),
      ("a=x,y", nil), ("a=x\\y", nil), ("; ;;a=1;", "1"),
    ])
  func reads(_ header: String, _ value: String?) {
    #expect(HTTPCookie.value(of: "a", in: header) == value)
    let head = HTTPHead(
      method: "GET", target: "/", headers: [HTTPHeader("cookie".utf8, header.utf8)])
    #expect(head.cookie("a") == value)
    let twice = HTTPHead(method: "GET", target: "/", headers: head.headers + head.headers)
    #expect(twice.cookie("a") == nil)
  }

  @Test("What is set, with its flags")
  func sets() throws {
    var cookie = try #require(HTTPCookie("__Host-luna", "abc"))
    cookie.maxAge = 60
    var response = HTTPResponse(204, nil, [])
    let isSet = response.set(cookie)
    #expect(isSet)
    #expect(
      response.headers.first { $0.name == "Set-Cookie" }?.value
        == "__Host-luna=abc; Path=/; SameSite=Lax; Max-Age=60; Secure; HttpOnly")
    cookie.sameSite = .strict
    cookie.isHTTPOnly = false
    #expect(cookie.line == "__Host-luna=abc; Path=/; SameSite=Strict; Max-Age=60; Secure")
  }

  @Test("A name's promise is kept, or the cookie is not set")
  func promises() throws {
    for name in ["__Host-a", "__secure-a"] {
      var cookie = try #require(HTTPCookie(name, "x"))
      cookie.isSecure = false
      var response = HTTPResponse(204, nil, [])
      let isSet = response.set(cookie)
      #expect(!isSet)
      #expect(response.headers.isEmpty)
    }
    var host = try #require(HTTPCookie("__Host-a", "x"))
    host.path = "/ui"
    #expect(host.line == nil)
    var open = try #require(HTTPCookie("a", "x"))
    open.isSecure = false
    #expect(open.line != nil)
    open.sameSite = .none
    #expect(open.line == nil)
  }

  @Test(
    "Nothing can be added to the header",
    arguments: [
      ("", "x"), ("a b", "x"), ("a;b", "x"), ("a", "x; Path=/"), ("a", "x\r\nX: y"), ("a", "é"),
      ("a", "x y"), ("a=b", "x"),
    ])
  func refuses(_ name: String, _ value: String) {
    #expect(HTTPCookie(name, value) == nil)
  }

  @Test("A path is none that adds something", arguments: ["/a; Secure", "a", "/\r\n", ""])
  func paths(_ path: String) throws {
    var cookie = try #require(HTTPCookie("a", "x"))
    cookie.path = path
    #expect(cookie.line == nil)
  }
}
