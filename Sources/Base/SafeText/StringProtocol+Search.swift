// The like of the standard library belongs to its regular expressions, which are left out of the programs
// that are installed.

extension StringProtocol {
  /// Whether the same bytes are in it. An empty text is in every one.
  package func contains(text part: some StringProtocol) -> Bool {
    part.utf8.isEmpty || !pieces(part, limit: 1).isEmpty
  }

  /// Where the same bytes are for the first time; nil when they are not there.
  package func firstRange(ofText part: some StringProtocol) -> Range<Index>? {
    pieces(part, limit: 1).first
  }

  /// What is between the separators, and before and after them; all of it when there are none.
  package func split(separatedBy separator: some StringProtocol, maxSplits: Int = .max)
    -> [SubSequence]
  where SubSequence == Substring {
    var parts: [Substring] = []
    var rest = self[...]
    for found in pieces(separator, limit: maxSplits) {
      parts.append(self[rest.startIndex..<found.lowerBound])
      rest = self[found.upperBound...]
    }
    return (parts + [rest]).filter { !$0.isEmpty }
  }

  /// With each place where a text is replaced by another.
  package func replacing(text part: some StringProtocol, with other: some StringProtocol) -> String
  {
    var result = ""
    var start = startIndex
    for found in pieces(part, limit: .max) {
      result += self[start..<found.lowerBound]
      result += other
      start = found.upperBound
    }
    return result + self[start...]
  }

  /// Where a text is, from the left, as far as the places do not overlap.
  private func pieces(_ part: some StringProtocol, limit: Int) -> [Range<Index>] {
    guard let first = part.utf8.first else { return [] }
    var found: [Range<Index>] = []
    var start = utf8.startIndex
    while found.count < limit, let begin = utf8[start...].firstIndex(of: first) {
      if utf8[begin...].starts(with: part.utf8) {
        start = utf8.index(begin, offsetBy: part.utf8.count)
        found.append(begin..<start)
      } else {
        start = utf8.index(after: begin)
      }
    }
    return found
  }
}
