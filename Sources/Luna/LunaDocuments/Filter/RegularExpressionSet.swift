/// Characters that a place of a regular expression takes.
struct RegularExpressionSet: Sendable {
  /// The classes of POSIX, and the characters of words.
  enum Class: String, CaseIterable, Sendable {
    case alpha, digit, alnum, upper, lower, space, blank, punct, print, graph, cntrl, xdigit, word

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      let properties = scalar.properties
      switch self {
      case .alpha: return properties.isAlphabetic
      case .digit: return ("0"..."9").contains(scalar)
      case .alnum: return properties.isAlphabetic || ("0"..."9").contains(scalar)
      case .upper: return properties.isUppercase
      case .lower: return properties.isLowercase
      case .space: return properties.isWhitespace
      case .blank: return scalar == " " || scalar == "\t"
      case .cntrl: return properties.generalCategory == .control
      case .xdigit: return scalar.isASCII && Character(scalar).isHexDigit
      case .word: return scalar == "_" || Class.alnum.contains(scalar)
      case .graph: return !properties.isWhitespace && !Class.cntrl.contains(scalar)
      case .print: return scalar == " " || Class.graph.contains(scalar)
      case .punct: return Class.graph.contains(scalar) && !Class.alnum.contains(scalar)
      }
    }
  }

  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var classes: [Class] = []
  /// Classes of which nothing is taken, such as `\W`.
  var excluded: [Class] = []
  var isNegated = false

  /// Any character.
  static let any = RegularExpressionSet(isNegated: true)

  static func one(_ scalar: Unicode.Scalar) -> Self { Self(ranges: [scalar...scalar]) }

  func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
    var isIn = holds(scalar)
    if !isIn, ignoringCase {
      let properties = scalar.properties
      isIn = [properties.lowercaseMapping, properties.uppercaseMapping].contains { other in
        let scalars = other.unicodeScalars
        return scalars.count == 1 && scalars.first.map(holds) == true
      }
    }
    return isIn != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar) { return true }
    for one in classes where one.contains(scalar) { return true }
    for one in excluded where !one.contains(scalar) { return true }
    return false
  }
}
