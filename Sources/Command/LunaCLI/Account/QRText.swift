import QRCodes

/// A QR code of characters, two rows of modules in each line, light on a dark terminal.
enum QRText {
  /// Light modules around it, of which readers need some.
  private static let margin = 2

  /// The lines; none where libqrencode is missing, or the text is too long for one.
  static func lines(_ text: String) -> [String] {
    guard let code = QRCode(text, level: .low) else { return [] }
    let range = -margin..<(code.width + margin)
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      range.map { column in
        switch (code.isDark(row, column), code.isDark(row + 1, column)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined()
    }
  }
}
