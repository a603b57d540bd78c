import Gzip
import Testing

@Suite struct GzipTests {
  private let text = (0..<100_000).map { UInt8($0 % 251) }

  @Test func comesBackAsItWas() throws {
    for bytes in [[], [1], text] {
      let small = try #require(Gzip.deflate(bytes))
      #expect(try Gzip.inflate(small, limit: bytes.count) == bytes)
    }
    #expect(try #require(Gzip.deflate(text)).count < 10_000)
  }

  @Test func stopsAtTheLimit() throws {
    // A thousandfold: the bytes that come out, not those that go in, are what costs.
    let bomb = try #require(Gzip.deflate([UInt8](repeating: 0, count: 50_000_000)))
    #expect(bomb.count < 60_000)
    #expect(throws: GzipError.tooLong) { try Gzip.inflate(bomb, limit: 4 << 20) }
    let small = try #require(Gzip.deflate(text))
    #expect(throws: GzipError.tooLong) { try Gzip.inflate(small, limit: text.count - 1) }
  }

  @Test func refusesWhatIsNotOneWholeMember() throws {
    let small = try #require(Gzip.deflate(text))
    var damaged = small
    damaged[damaged.count - 6] ^= 1
    for bytes in [[], [0x1F], text, Array(small.dropLast()), small + [0], small + small, damaged] {
      #expect(throws: GzipError.malformed) { try Gzip.inflate(bytes, limit: 1 << 20) }
    }
  }
}
