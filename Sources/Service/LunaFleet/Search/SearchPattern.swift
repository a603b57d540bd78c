/// Folded text with `*` for anything.
struct SearchPattern: Hashable, Sendable {
  /// What is between the asterisks; an empty piece at an end leaves that end open.
  private let pieces: [[UInt8]]
  /// The states and verdicts that it is within, looked for once and not in each gateway.
  let words: [String]

  init(_ text: String) {
    let pieces = text.split(separator: "*", omittingEmptySubsequences: false).map {
      FoldedText.bytes(String($0))
    }
    self.pieces = pieces
    words = (GatewayStatus.states + GatewayStatus.verdicts).filter {
      SearchPattern.contains(Array($0.utf8)[...], pieces[...])
    }
  }

  /// Whether it is a text without `*`.
  var isPlain: Bool { pieces.count == 1 }

  /// Whether it is all of a text.
  func isWhole(_ text: [UInt8]) -> Bool {
    guard let first = pieces.first, let last = pieces.last, text.starts(with: first) else {
      return false
    }
    if isPlain { return text.count == first.count }
    guard text.count >= first.count + last.count,
      text[(text.count - last.count)...].elementsEqual(last)
    else { return false }
    let middle = text[first.count..<text.count - last.count]
    return SearchPattern.contains(middle, pieces.dropFirst().dropLast())
  }

  /// Whether it is somewhere in a text.
  func isWithin(_ text: [UInt8]) -> Bool { SearchPattern.contains(text[...], pieces[...]) }

  private static func contains(_ text: ArraySlice<UInt8>, _ pieces: ArraySlice<[UInt8]>) -> Bool {
    var rest = text
    for piece in pieces where !piece.isEmpty {
      guard let end = end(of: piece, in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }

  private static func end(of piece: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    let (bytes, last) = (text.span, text.count - piece.count)
    guard last >= 0 else { return nil }
    let (piece, first) = (piece.span, piece[0])
    var start = 0
    while start <= last {
      if bytes[start] == first {
        var index = 1
        while index < piece.count, bytes[start + index] == piece[index] { index += 1 }
        if index == piece.count { return text.startIndex + start + index }
      }
      start += 1
    }
    return nil
  }
}
