import Testing

@testable import LunaTracker

@Suite struct ToneTests {
  @Test func isAWAVFileOfTheRightLength() {
    let file = Tone.file(seconds: 2)
    #expect(file.count == 44 + 2 * 2 * Tone.rate)
    #expect(Array(file[..<4]) == Array("RIFF".utf8))
    #expect(Array(file[8..<16]) == Array("WAVEfmt ".utf8))
    // PCM, one channel, 16,000 samples a second, 2 bytes each
    #expect(Array(file[20..<36]) == [1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0])
    #expect(Array(file[36..<40]) == Array("data".utf8))
    let size = file[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size == file.count - 44)
  }

  @Test func beepsAndPauses() {
    let file = Tone.file(seconds: 1)
    func loudest(_ range: Range<Int>) -> Int {
      range.map { index in
        let sample = UInt16(file[44 + 2 * index]) | UInt16(file[45 + 2 * index]) << 8
        return abs(Int(Int16(bitPattern: sample)))
      }.max() ?? 0
    }
    #expect(loudest(0..<Tone.rate / 5) > 20_000)
    #expect(loudest(Tone.rate / 5..<Tone.rate / 2) == 0)
    #expect(loudest(Tone.rate / 2..<Tone.rate) > 20_000)
  }

  @Test(arguments: [(-1, 1), (0, 1), (61, 60), (.max, 60)])
  func staysWithinAMinute(asked: Int, given: Int) {
    #expect(Tone.file(seconds: asked).count == 44 + 2 * given * Tone.rate)
  }
}
