import Testing

@testable import TrackerBoard

@Suite("EntropyCheck")
struct EntropyCheckTests {
  /// Two windows of 512 bytes, of which each begins with a byte that comes once.
  private var sound: [UInt8] {
    (0..<1024).map { (index: Int) -> UInt8 in index % 512 == 0 ? 0 : UInt8(1 + index % 200) }
  }

  private func passes(_ bytes: [UInt8]) -> Bool { EntropyCheck.passes(bytes.span) }

  @Test("Five equal bytes in a row are chance, six are not")
  func repetition() {
    #expect(passes(sound))
    // At the beginning, across the windows, and at the end.
    for start in [1, 509, 1018] {
      var bytes = sound
      for index in start..<start + 5 { bytes[index] = 250 }
      #expect(passes(bytes), "\(start)")
      bytes[start + 5] = 250
      #expect(!passes(bytes), "\(start)")
    }
  }

  @Test("61 of 512 bytes may be as the first one is, 62 may not", arguments: [0, 512])
  func proportion(window: Int) {
    var bytes = sound
    for number in 1..<61 { bytes[window + 2 * number] = 0 }
    #expect(passes(bytes))
    bytes[window + 511] = 0
    #expect(!passes(bytes))
  }

  @Test("Less than a window says nothing")
  func window() {
    #expect(passes(Array(sound.prefix(512))))
    #expect(!passes(Array(sound.prefix(511))))
  }
}
