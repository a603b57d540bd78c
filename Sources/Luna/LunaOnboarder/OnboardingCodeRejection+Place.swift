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
    case .prefix, .range, .check: return words
    }
  }
}
