import HTTPServer
import Testing
import WebAccess

@Suite("Versions of files by what is in them")
struct AssetTests {
  @Test("The tag is the begin of SHA-256")
  func digest() throws {
    // FIPS 180-2, appendix B.1: SHA-256 of "abc".
    let asset = try Asset("text/css", hashing: Array("abc".utf8))
    #expect(asset.etag == "\"ba7816bf8f01cfea414140de5dae2223\"")
    #expect(try Asset("text/css", hashing: Array("abd".utf8)).etag != asset.etag)
  }
}
