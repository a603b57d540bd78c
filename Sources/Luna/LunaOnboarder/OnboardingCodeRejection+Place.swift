package import LunaProtocol

extension OnboardingCodeRejection {
  /// What is wrong with a text, and where, to follow a sentence. The text is not repeated: most of it may be a code.
  package func words(in text: some StringProtocol) -> String {
    switch self {
    case .symbol:
      guard let place = OnboardingCode.wrongSymbol(in: text) else { return words }
      return "character \(place) behind LUNA1: is mistyped: no code has it there"
    case .length:
      let count = OnboardingCode.symbols(of: text).count
      return "it is mistyped: the number of characters behind LUNA1: is \(count), not 27"
    // Two bits more than a code has are in the first.
    case .range: return "character 1 behind LUNA1: is mistyped: no code has it there"
    case .check:
      let all = words + "; which one, its check cannot tell: compare all 27"
      let places = Self.suspects(in: text).map { String($0) }
      guard let last = places.last, places.count <= Self.mostSuspects else { return all }
      let others = places.dropLast().joined(separator: ", ")
      return all + ", number \(others.isEmpty ? last : "\(others) or \(last)") behind LUNA1: first"
    case .prefix: return words
    }
  }

  /// More than these are no help to who looks for one.
  private static let mostSuspects = 4

  /// What is often taken for each other on a label. I, L and O count as digits anyway.
  private static let pairs = ["8B", "5S", "2Z", "6G", "0D", "0Q", "17", "VY", "MN", "4A"].map {
    Array($0.utf8)
  }

  /// The places at which one of the usual slips explains that the check does not fit, from 1 on: a character that looks
  /// like another, or that changed places with the next one. The check itself tells that there is one, not where.
  private static func suspects(in text: some StringProtocol) -> [Int] {
    let symbols = Array(
      String(decoding: OnboardingCode.symbols(of: text), as: UTF8.self).uppercased().utf8)
    func fits(_ changed: [UInt8]) -> Bool {
      (try? OnboardingCode(text: "LUNA1:" + String(decoding: changed, as: UTF8.self))) != nil
    }
    return symbols.indices.filter { place in
      var changed = symbols
      if place + 1 < symbols.count {
        changed.swapAt(place, place + 1)
        if fits(changed) { return true }
        changed = symbols
      }
      for pair in pairs {
        guard let side = pair.firstIndex(of: symbols[place]) else { continue }
        changed[place] = pair[1 - side]
        if fits(changed) { return true }
      }
      return false
    }.map { $0 + 1 }
  }
}
