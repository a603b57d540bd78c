/// How the strength of an advertiser went lately.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let plain = Array("_.,-~=+#")

  /// A bar per value, newest at the right, from -100 dBm (lowest) to -30 dBm (highest).
  static func bars(_ history: [Int8], count: Int, style: TableStyle) -> String {
    let symbols = style.isUnicode ? blocks : plain
    return String(
      history.suffix(count).map { value in
        let step = (Int(value) + 100) * symbols.count / 70
        return symbols[max(0, min(step, symbols.count - 1))]
      })
  }

  /// Whether it comes nearer or goes away: the last four values against the four before; a space
  /// where it keeps within 3 dB or there are too few values.
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
