/// Finds what was meant by a mistyped word.
public enum Suggestion {
  /// The word that is nearest, capitals or not; nil when none is near enough to be meant.
  public static func nearest(to typed: String, among words: [String]) -> String? {
    let typed = Array(typed.lowercased().unicodeScalars)
    guard typed.count >= 2, typed.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for word in words {
      let scalars = Array(word.lowercased().unicodeScalars)
      let isBeginning = typed.count >= 3 && scalars.starts(with: typed)
      let limit = max(1, scalars.count / 3)
      // As many letters at least differ.
      guard isBeginning || abs(typed.count - scalars.count) <= limit else { continue }
      let distance = isBeginning ? 0 : Self.distance(typed, scalars)
      guard distance <= limit, distance < scalars.count else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (word, distance) }
    }
    return best?.word
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
