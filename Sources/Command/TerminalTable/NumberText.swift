/// Numbers in few characters.
public enum NumberText {
  /// A count in at most six characters: `999999`, `1.2M`, `34G`.
  public static func count(_ count: Int) -> String {
    if count < 1_000_000 { return String(max(0, count)) }
    return count < 1_000_000_000
      ? short(Double(count) / 1e6) + "M" : short(Double(count) / 1e9) + "G"
  }

  /// Something per second: one decimal place below 100.
  public static func rate(_ rate: Double) -> String {
    guard rate.isFinite, rate > 0 else { return "0" }
    if rate < 0.05 { return "<0.1" }
    return rate < 1e6 ? short(rate) : count(Int(min(rate, 1e15)))
  }

  /// Seconds as `now`, `12s`, `3m`, `2h`, `5d`; `never` where there is no end to them.
  public static func age(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "never" }
    guard seconds >= 1 else { return "now" }
    if seconds < 60 { return "\(Int(seconds))s" }
    if seconds < 3600 { return "\(Int(seconds / 60))m" }
    if seconds < 86_400 { return "\(Int(seconds / 3600))h" }
    return "\(Int(min(seconds / 86_400, 9999)))d"
  }

  private static func short(_ value: Double) -> String {
    if value >= 99.95 { return String(Int(value.rounded())) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
