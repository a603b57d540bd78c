import Testing

@testable import TerminalTable

@Suite struct SparklineTests {
  static let unicode = TableStyle()
  static let ascii = TableStyle(isUnicode: false)

  @Test func barsGoFromLeftToRight() {
    let history: [Int8] = [-128, -100, -90, -80, -70, -60, -50, -40, -30, 20]
    #expect(Sparkline.bars(history, count: 8, -100 ... -30, style: Self.unicode) == "▂▃▄▅▆▇██")
    #expect(Sparkline.bars(history, count: 10, -100 ... -30, style: Self.unicode) == "▁▁▂▃▄▅▆▇██")
    #expect(Sparkline.bars([-65], count: 8, -100 ... -30, style: Self.ascii) == "~")
    #expect(Sparkline.bars([], count: 8, -100 ... -30, style: Self.unicode) == "")
  }

  @Test(
    arguments: [
      ([-90, -90, -90, -90, -80, -80, -80, -80], "↑"),
      ([-80, -80, -80, -80, -90, -90, -90, -90], "↓"),
      ([-80, -80, -80, -80, -83, -83, -83, -83], " "), ([-90, -80, -70], " "), ([], " "),
    ] as [([Int8], Character)])
  func arrow(history: [Int8], arrow: Character) {
    #expect(Sparkline.arrow(history, style: Self.unicode) == arrow)
    let plain: [Character: Character] = ["↑": "+", "↓": "-", " ": " "]
    #expect(Sparkline.arrow(history, style: Self.ascii) == plain[arrow])
  }
}
