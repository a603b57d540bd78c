extension OriginalJudgement {
  /// It for a person, in sentences of English.
  package var lines: [String] {
    var lines = ["\(verdict.rawValue), by the rule of \(rule.rawValue)"]
    if let area {
      let percent = (abs(area) * 1000).rounded() / 10
      lines.append(
        "The original is \(percent) % \(area < 0 ? "faster" : "slower") than the control.")
    } else {
      lines.append("Nothing was transferred.")
    }
    if let test {
      var line =
        "Kolmogorov-Smirnov: D \(OriginalJudgement.short(test.distance)), "
        + "p \(OriginalJudgement.short(test.p))"
      if let ratio { line += "; \((ratio * 1000).rounded() / 10) % of halves agree" }
      lines.append(line)
    }
    return lines
  }

  /// Four digits.
  private static func short(_ value: Double) -> String {
    guard value != 0, value < 1 else { return "\(value)" }
    var (shown, exponent) = (value, 0)
    while shown < 1 { (shown, exponent) = (shown * 10, exponent + 1) }
    let digits = (shown * 1000).rounded() / 1000
    return exponent > 3 ? "\(digits)e-\(exponent)" : "\((value * 1e6).rounded() / 1e6)"
  }
}
