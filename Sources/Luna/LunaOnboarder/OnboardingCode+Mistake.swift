package import LunaProtocol

extension OnboardingCode {
  /// What is wrong with the first line that looks like a code and is none; nil without one. It is not repeated.
  package static func mistake(inLinesOf bytes: [UInt8]) -> String? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard let word = words.first, words.count == 1, word.uppercased().hasPrefix("LUNA1:")
      else { continue }
      do throws(OnboardingCodeRejection) {
        _ = try OnboardingCode(text: word)
      } catch {
        return "in line \(index + 1) \(error.words(in: word))"
      }
    }
    return nil
  }
}
