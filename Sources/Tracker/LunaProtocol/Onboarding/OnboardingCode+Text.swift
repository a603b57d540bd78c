import LunaCrypto

extension OnboardingCode {
  private static let prefix = "LUNA1:"
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U".utf8)
  private static let dataSymbols = 26

  /// The text on the label; keep it out of logs.
  public var revealed: String {
    let number = secret.withBytes { bytes in
      UInt128(bytes.bigEndian(at: 0, count: 8)) << 64 | UInt128(bytes.bigEndian(at: 8, count: 8))
    }
    var text = OnboardingCode.prefix
    for place in 0..<OnboardingCode.dataSymbols {
      let group = number >> UInt128(5 * (OnboardingCode.dataSymbols - 1 - place)) & 31
      text.append(OnboardingCode.symbol(Int(group)))
    }
    text.append(OnboardingCode.symbol(Int(number % 37)))
    return text
  }

  /// Reads the text of a label, in any case, with hyphens anywhere behind the prefix.
  ///
  /// - Throws: the first test that failed.
  public init(text: some StringProtocol) throws(OnboardingCodeRejection) {
    let characters = Array(text.utf8)
    guard
      characters.count >= OnboardingCode.prefix.utf8.count,
      zip(characters, OnboardingCode.prefix.utf8).allSatisfy({ upper($0) == $1 })
    else { throw .prefix }
    let symbols = OnboardingCode.symbols(of: text)
    guard symbols.allSatisfy({ $0 < 0x80 }) else { throw .symbol }
    guard symbols.count == OnboardingCode.dataSymbols + 1 else { throw .length }
    var values: [UInt8] = []
    for (index, symbol) in symbols.enumerated() {
      guard let value = OnboardingCode.value(of: symbol, at: index) else { throw .symbol }
      values.append(value)
    }
    // 26 groups of 5 bits are 130: the two in front must be zero.
    guard values[0] < 8 else { throw .range }
    let number = values.dropLast().reduce(UInt128(0)) { $0 << 5 | UInt128($1) }
    guard number % 37 == UInt128(values[OnboardingCode.dataSymbols]) else { throw .check }
    var bytes = InlineArray<16, UInt8> {
      UInt8(truncatingIfNeeded: number >> UInt128(120 - 8 * $0))
    }
    defer { wipe(&bytes) }
    secret = SecretBytes(copying: bytes.span)
  }

  /// What stands behind the prefix, without hyphens.
  package static func symbols(of text: some StringProtocol) -> [UInt8] {
    text.utf8.dropFirst(prefix.utf8.count).filter { $0 != UInt8(ascii: "-") }
  }

  /// Which of ``symbols(of:)`` is the first that no code has at its place, from 1 on.
  package static func wrongSymbol(in text: some StringProtocol) -> Int? {
    symbols(of: text).enumerated().first { value(of: $1, at: $0) == nil }.map { $0.offset + 1 }
  }

  /// The symbol of five bits.
  package static func symbol(_ value: Int) -> Character {
    Character(Unicode.Scalar(alphabet[value]))
  }

  /// The value of a symbol; nil where it may not stand there: the last one, the check, has five more.
  private static func value(of symbol: UInt8, at index: Int) -> UInt8? {
    guard let value = value(of: symbol), value < 32 || index == dataSymbols else { return nil }
    return value
  }

  private static func value(of symbol: UInt8) -> UInt8? {
    switch upper(symbol) {
    case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
    case UInt8(ascii: "O"): 0
    case let symbol: alphabet.firstIndex(of: symbol).map { UInt8($0) }
    }
  }
}

private func upper(_ character: UInt8) -> UInt8 {
  UInt8(ascii: "a")...UInt8(ascii: "z") ~= character ? character - 32 : character
}
