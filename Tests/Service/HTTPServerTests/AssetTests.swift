import Gzip
import Testing

@testable import HTTPServer

@Suite("Files that belong to the program")
struct AssetTests {
  private func head(_ tag: String? = nil, accepts: String? = nil) -> HTTPHead {
    HTTPHead(
      method: "GET", target: "/",
      headers: (tag.map { [HTTPHeader("If-None-Match".utf8, $0.utf8)] } ?? [])
        + (accepts.map { [HTTPHeader("Accept-Encoding".utf8, $0.utf8)] } ?? []))
  }

  private func value(_ name: String, _ response: HTTPResponse) -> String? {
    response.headers.first { $0.name == name }?.value
  }

  @Test("A browser that has it gets 304, and another version is another one")
  func etags() {
    let (one, other) = (
      Asset("text/css", Array("a".utf8), version: "1a"),
      Asset("text/css", Array("b".utf8), version: "1b")
    )
    #expect(one.etag == "\"1a\"" && other.etag == "\"1b\"")
    let first = one.response(to: head())
    #expect(first.status == 200 && first.body == Array("a".utf8))
    for tag in [one.etag, "W/\(one.etag)", "\"x\", \(one.etag)", "*"] {
      let response = one.response(to: head(tag))
      #expect(response.status == 304 && response.body.isEmpty)
      #expect(value("ETag", response) == one.etag)
    }
    for tag in [other.etag, "", "\"", String(one.etag.dropLast())] {
      #expect(one.response(to: head(tag)).status == 200)
    }
  }

  @Test("A version becomes a tag whatever is in it")
  func versions() {
    for (version, tag) in [
      ("2.0-rc1", "\"2.0-rc1\""),
      ("a\"b, c\r\nSet-Cookie: d\u{7F}é", "\"abcSet-Cookie:d\""), ("", "\"\""),
    ] {
      let asset = Asset("text/css", [], version: version)
      #expect(asset.etag == tag)
      #expect(asset.response(to: head(tag)).status == 304)
    }
  }

  @Test("How long it is kept, and what a page of it may do")
  func headers() {
    let page = Asset("text/html; charset=utf-8", [], version: "1")
    let response = page.response(to: head())
    #expect(value("Cache-Control", response) == "no-cache")
    #expect(value("Content-Type", response) == "text/html; charset=utf-8")
    let policy = value("Content-Security-Policy", response) ?? ""
    for part in [
      "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "script-src 'self'",
      "form-action 'self'",
    ] {
      #expect(policy.split(separator: "; ").contains { $0 == part })
    }
    #expect(!policy.contains("unsafe"))
    #expect(value("X-Frame-Options", response) == "DENY")
    let forever = Asset("text/css", [], version: "1", caching: .forever).response(
      to: head(), policy: .sandbox)
    #expect(value("Cache-Control", forever)?.contains("immutable") == true)
    #expect(
      value("Content-Security-Policy", forever)?.hasSuffix("form-action 'none'; sandbox") == true)
  }

  @Test("Long text is packed for those who take that, whether it came packed or not")
  func packed() throws {
    let text = Array(String(repeating: "All that is long. ", count: 200).utf8)
    let member = try #require(Gzip.deflate(text))
    for asset in [
      Asset("text/css", text, version: "1"), Asset("text/css", member, version: "1"),
    ] {
      for accepts in ["gzip", "deflate, GZIP;q=0.5", "br , x-gzip", "gzip;q=1"] {
        let response = asset.response(to: head(accepts: accepts))
        #expect(value("Content-Encoding", response) == "gzip")
        #expect(response.body.count < text.count)
        #expect(try Gzip.inflate(response.body, limit: 10_000) == text)
        #expect(value("ETag", response) != asset.etag)
        #expect(value("Vary", response) == "Accept-Encoding")
        let tag = try #require(value("ETag", response))
        #expect(asset.response(to: head(tag, accepts: accepts)).status == 304)
        #expect(asset.response(to: head(tag)).status == 200)
      }
      for accepts in [nil, "", "identity", "gzip;q=0", "gzip; Q=0.000", "br", "gzipped"] {
        let response = asset.response(to: head(accepts: accepts))
        #expect(value("Content-Encoding", response) == nil)
        #expect(response.body == text)
        #expect(value("ETag", response) == asset.etag)
      }
    }
    let short = Asset("text/css", Array("a".utf8), version: "1")
    #expect(value("Vary", short.response(to: head(accepts: "gzip"))) == nil)
  }
}
