/// With which of several adapters a tracker is heard best (HOME.md 5.3): another one takes over when it
/// was 6 dB stronger for ten seconds, or when the best one has not heard it for a minute.
struct AdapterChoice: Sendable {
  private static let margin = 6.0
  private static let patience: Int64 = 10_000_000
  private static let silence: Int64 = 60_000_000

  private(set) var best: String?
  private var levels: [String: (level: Double, at: Int64)] = [:]
  private var challenger: (name: String, since: Int64)?

  /// Takes a signal, dBm, at a boot time, µs.
  mutating func hear(_ rssi: Int, with adapter: String, at boot: Int64) {
    // One frame says little of a signal.
    let before = levels[adapter].flatMap { boot - $0.at <= AdapterChoice.patience ? $0.level : nil }
    let level = before.map { $0 + (Double(rssi) - $0) / 4 } ?? Double(rssi)
    levels[adapter] = (level, boot)
    guard let best, let own = levels[best], boot - own.at <= AdapterChoice.silence else {
      best = adapter
      challenger = nil
      return
    }
    guard best != adapter else {
      if let other = challenger.flatMap({ levels[$0.name] }),
        other.level < level + AdapterChoice.margin
      {
        challenger = nil
      }
      return
    }
    guard level >= own.level + AdapterChoice.margin else {
      if challenger?.name == adapter { challenger = nil }
      return
    }
    guard let now = challenger, now.name == adapter else {
      // Of two challengers the stronger one counts.
      if let other = challenger.flatMap({ levels[$0.name] }), other.level > level { return }
      challenger = (adapter, boot)
      return
    }
    guard boot - now.since >= AdapterChoice.patience else { return }
    self.best = adapter
    challenger = nil
  }
}
