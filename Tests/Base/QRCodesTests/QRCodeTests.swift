import QRCodes
import Testing

@Suite struct QRCodeTests {
  /// Debian has the library where the tests run (TEST_PACKAGES).
  private func code() throws -> QRCode { try #require(QRCode("LUNAG1:0123", level: .medium)) }

  @Test func hasItsThreeCorners() throws {
    let code = try code()
    // Version 1: the corners have a dark frame of 7 modules with a light one within.
    #expect(code.width == 21)
    for (row, column) in [(0, 0), (0, 14), (14, 0)] {
      for step in 0..<7 {
        #expect(code.isDark(row, column + step) && code.isDark(row + step, column))
      }
      #expect(!code.isDark(row + 1, column + 1) && code.isDark(row + 3, column + 3))
    }
    #expect(!code.isDark(-1, 0) && !code.isDark(0, 21))
  }

  @Test func textOfOthersStaysText() throws {
    let svg = try code().svg(title: "<script>", lines: ["a & \"b\"</text><script>", "\u{1B}x"])
    #expect(!svg.contains("<script"))
    #expect(svg.contains("a &amp; &quot;b&quot;&lt;/text&gt;&lt;script&gt;"))
    #expect(svg.contains("\\x1bx"))
  }

  @Test func pictureHasItsSize() throws {
    let png = try #require(try code().png(scale: 2))
    #expect(Array(png[16..<24]) == [0, 0, 0, 58, 0, 0, 0, 58])
  }

  /// A zero ends no bytes, as it would a text.
  @Test func bytesAreNoText() throws {
    let bytes = [UInt8](repeating: 0, count: 2900)
    let code = try #require(QRCode(bytes, level: .low))
    #expect(code.width == 177)
    #expect(try #require(QRCode(Array(bytes.prefix(20)), level: .low)).width < 30)
    #expect(QRCode(bytes + [0] + bytes, level: .low) == nil)
  }

  @Test func isNoneForTooMuchText() {
    #expect(QRCode(String(repeating: "ä", count: 3000), level: .medium) == nil)
  }
}
