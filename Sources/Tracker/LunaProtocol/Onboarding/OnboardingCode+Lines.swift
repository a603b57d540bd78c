extension OnboardingCode {
  /// The code on the first of some lines that is one; nil where none is.
  package static func first(inLinesOf bytes: [UInt8]) -> OnboardingCode? {
    all(inLinesOf: bytes).first
  }

  /// The codes that are alone on a line, in their order.
  package static func all(inLinesOf bytes: [UInt8]) -> [OnboardingCode] {
    var codes: [OnboardingCode] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self)
      let words = text.split(separator: " ")
      if let word = words.first, words.count == 1, let code = try? OnboardingCode(text: word) {
        codes.append(code)
      }
    }
    return codes
  }
}
