import Testing

@testable import HTTPServer

@Suite("Who is behind a proxy")
struct TrustedProxiesTests {
  private let proxy: [UInt8] = [10, 0, 0, 7]

  private func client(
    _ trusted: [String], _ peer: [UInt8], _ lines: String...
  ) throws -> [UInt8] {
    let head = HTTPHead(
      method: "GET", target: "/",
      headers: lines.map { HTTPHeader("X-Forwarded-For".utf8, $0.utf8) })
    return try #require(TrustedProxies(trusted)).client(behind: peer, head)
  }

  @Test("The last address that a trusted one added, and nothing that stands before it")
  func last() throws {
    #expect(try client(["10.0.0.0/8"], proxy, "1.2.3.4") == [1, 2, 3, 4])
    #expect(try client(["10.0.0.7"], proxy, "9.9.9.9, 1.2.3.4") == [1, 2, 3, 4])
    #expect(try client(["10.0.0.7"], proxy, "9.9.9.9", "1.2.3.4") == [1, 2, 3, 4])
    #expect(try client(["10.0.0.7"], proxy, "1.2.3.4:5678") == [1, 2, 3, 4])
    let plain = try client(["10.0.0.7"], proxy, "2001:db8::1")
    #expect(plain.count == 16)
    #expect(try client(["10.0.0.7"], proxy, "[2001:db8::1]:5") == plain)
    #expect(try client(["10.0.0.7"], proxy, "::ffff:1.2.3.4") == [1, 2, 3, 4])
  }

  @Test("The word of others counts for nothing")
  func others() throws {
    #expect(try client([], proxy, "1.2.3.4") == proxy)
    #expect(try client(["10.0.0.8/30"], proxy, "1.2.3.4") == proxy)
    #expect(try client(["fd00::/8"], proxy, "1.2.3.4") == proxy)
    #expect(try client(["10.0.0.7"], [8, 8, 8, 8], "1.2.3.4") == [8, 8, 8, 8])
    for nonsense in ["", "unknown", "1.2.3", "1.2.3.4, ", "_hidden", "1.2.3.4\u{0}"] {
      #expect(try client(["10.0.0.7"], proxy, nonsense) == proxy)
    }
    #expect(try client(["10.0.0.7"], proxy) == proxy)
  }

  @Test("A proxy that came over a socket for both kinds is the same one")
  func mapped() throws {
    let peer = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + proxy
    #expect(try client(["10.0.0.7"], peer, "1.2.3.4") == [1, 2, 3, 4])
  }

  @Test(
    "What is no network", arguments: ["x", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", ""])
  func refuses(_ text: String) { #expect(TrustedProxies([text]) == nil) }
}
