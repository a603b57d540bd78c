/// How a level went lately.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let plain = Array("_.,-~=+#")

  /// A bar per value, newest at the right, the lowest and the highest at the ends of `range`.
  static func bars(
    _ history: [Int8], count: Int, _ range: ClosedRange<Int>, style: TableStyle
  ) -> String {
    let symbols = style.isUnicode ? blocks : plain
    return String(
      history.suffix(count).map { value in
        let span = max(1, range.upperBound - range.lowerBound)
        let step = (Int(value) - range.lowerBound) * symbols.count / span
        return symbols[max(0, min(step, symbols.count - 1))]
      })
  }

  /// Whether it comes nearer or goes away: the last four values against the four before; a space
  /// where it keeps within 3 or there are too few values.
  static func arrow(_ history: [Int8], style: TableStyle) -> Character {
    let last = history.suffix(4)
    let before = history.dropLast(4).suffix(4)
    guard last.count == 4, before.count == 4 else { return " " }
    let change = last.reduce(0) { $0 + Int($1) } - before.reduce(0) { $0 + Int($1) }
    if change > 12 { return style.isUnicode ? "↑" : "+" }
    if change < -12 { return style.isUnicode ? "↓" : "-" }
    return " "
  }
}
