import HTTPServer
import LunaJSON
import Testing

@testable import LunaHomeWeb

@Suite("What requests of browsers have to look like")
struct HomeBrowsersTests {
  private func browsers(_ json: JSONValue = [:], at text: String = "127.0.0.1:8470") throws
    -> HomeBrowsers
  {
    HomeBrowsers(try HomeServerSettings(json), at: try #require(ListenAddress(text)))
  }

  private func head(_ headers: [(String, String)]) -> HTTPHead {
    HTTPHead(
      method: "POST", target: "/", headers: headers.map { HTTPHeader($0.0.utf8, $0.1.utf8) })
  }

  @Test(
    "Only names of this server are answered",
    arguments: [
      ("127.0.0.1:8470", true), ("localhost:1", true), ("[::1]:8470", true), ("127.9.9.9", true),
      ("home.example", true), ("HOME.example:8443", true), ("box.lan", true), ("", false),
      ("evil.example", false), ("127.0.0.1.evil.example", false), ("home.example.evil", false),
      ("192.0.2.1", false),
    ])
  func names(host: String, isOwn: Bool) throws {
    let browsers = try browsers(["publicUrl": "https://home.example", "names": ["Box.lan"]])
    let isTaken = (try? browsers.checkHost(head([("Host", host)]))) != nil
    #expect(isTaken == isOwn)
  }

  @Test("The address that it listens on is one of its names, unless that is all of them")
  func ownAddress() throws {
    let here = try browsers(at: "192.0.2.1:8470")
    #expect((try? here.checkHost(head([("Host", "192.0.2.1:8470")]))) != nil)
    let everywhere = try browsers(at: "0.0.0.0:8470")
    #expect((try? everywhere.checkHost(head([("Host", "0.0.0.0:8470")]))) == nil)
  }

  @Test(
    "Changes come from pages of this server",
    arguments: [
      ([("Origin", "http://127.0.0.1:8470")], true),
      ([("Origin", "https://127.0.0.1:8470")], false), ([("Origin", "null")], false),
      ([("Origin", "http://127.0.0.1:8471")], false), ([("Origin", "http://evil")], false),
      ([("Sec-Fetch-Site", "same-origin")], true), ([("Sec-Fetch-Site", "same-site")], false),
      ([], false),
    ])
  func origins(headers: [(String, String)], isOwn: Bool) throws {
    let head = head([("Host", "127.0.0.1:8470")] + headers)
    let browsers = try browsers()
    #expect(((try? browsers.checkOrigin(head)) != nil) == isOwn)
  }

  @Test("By https the cookie is bound to this host, behind a proxy too")
  func cookies() throws {
    let behind = try browsers(["publicUrl": "https://home.example"])
    let there = head([("Host", "home.example")])
    let cookie = try #require(behind.cookie(nil, for: there))
    #expect(cookie.name == "__Host-luna-home" && cookie.isSecure && cookie.sameSite == .strict)
    let here = try #require(behind.cookie(nil, for: head([("Host", "127.0.0.1:8470")])))
    #expect(here.name == "luna-home" && !here.isSecure)
  }
}
