/// Texts as they are compared: without case, and for searches without accents.
public enum FoldedText {
  /// Without case: two names that differ in nothing else are the same.
  public static func caseless(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.uppercased().lowercased()
  }

  /// Without case and accents, in UTF-8.
  static func bytes(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x41 || (0x5B..<0x80).contains($0) }) { return Array(text.utf8) }
    let text = text.lowercased()
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    var folded: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let plain = FoldedLetters.table[scalar] {
        folded += plain.utf8
      } else if scalar.isASCII || scalar.properties.generalCategory != .nonspacingMark {
        folded += String(scalar).utf8
      }
    }
    return folded
  }
}
