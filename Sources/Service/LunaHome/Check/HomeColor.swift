/// A colour of the file: `#1f6feb` or `#fff`.
struct HomeColor: Hashable, Sendable {
  /// Red, green and blue, 0 to 255 each.
  let channels: [Int]

  init?(_ text: String) {
    var digits: [Int] = []
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    for character in text.dropFirst() {
      guard character.isASCII, let digit = character.hexDigitValue else { return nil }
      digits.append(digit)
    }
    switch digits.count {
    case 3: channels = digits.map { $0 * 17 }
    case 6: channels = [0, 2, 4].map { digits[$0] * 16 + digits[$0 + 1] }
    default: return nil
    }
  }

  /// The contrast of two colours, 1 to 21 (WCAG 2.2, contrast ratio).
  func contrast(to other: HomeColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var luminance: Double {
    let linear = channels.map { HomeColor.linear[$0] }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// The light of a channel. The exponent is 2.4 = 12/5: the fifth root is found by Newton's method.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    guard share > 0.04045 else { return share / 12.92 }
    let base = (share + 0.055) / 1.055
    var root = 1.0
    for _ in 0..<40 {
      root -= (root * root * root * root * root - base) / (5 * root * root * root * root)
    }
    let square = root * root
    return square * square * square * square * square * square
  }
}
