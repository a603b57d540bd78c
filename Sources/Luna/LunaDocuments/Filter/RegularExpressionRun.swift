/// One search of a regular expression in a text: all places of the program that the text so far can
/// have led to, each once.
struct RegularExpressionRun {
  private let program: [RegularExpressionStep]
  private let ignoresCase: Bool
  private var text: [Unicode.Scalar] = []
  private var current: [Int] = []
  private var following: [Int] = []
  /// At which position of the text a step was reached last.
  private var reached: [Int]
  private var waiting: [Int] = []

  init(_ program: [RegularExpressionStep], ignoresCase: Bool) {
    self.program = program
    self.ignoresCase = ignoresCase
    reached = Array(repeating: -1, count: program.count)
  }

  /// Whether the program accepts some part of `text`.
  mutating func matches(_ text: [Unicode.Scalar]) -> Bool {
    self.text = text
    for position in 0...text.count {
      // A match can begin anywhere.
      if enter(0, at: position) { return true }
      if position == text.count { break }
      swap(&current, &following)
      following.removeAll(keepingCapacity: true)
      let scalar = text[position]
      for step in current {
        guard case .take(let set) = program[step],
          set.contains(scalar, ignoringCase: ignoresCase)
        else { continue }
        if enter(step + 1, at: position + 1) { return true }
      }
    }
    return false
  }

  /// Follows what takes no character; returns whether the end is among it.
  private mutating func enter(_ step: Int, at position: Int) -> Bool {
    waiting.append(step)
    while let step = waiting.popLast() {
      guard reached[step] != position else { continue }
      reached[step] = position
      switch program[step] {
      case .accept: return true
      case .take: following.append(step)
      case .jump(let target): waiting.append(target)
      case .split(let first, let second):
        waiting.append(second)
        waiting.append(first)
      case .check(let assertion): if holds(assertion, at: position) { waiting.append(step + 1) }
      }
    }
    return false
  }

  private func holds(_ assertion: RegularExpressionStep.Assertion, at position: Int) -> Bool {
    func isWord(_ index: Int) -> Bool {
      text.indices.contains(index) && RegularExpressionSet.Class.word.contains(text[index])
    }
    return switch assertion {
    case .start: position == 0
    case .end: position == text.count
    case .wordBoundary: isWord(position - 1) != isWord(position)
    case .noWordBoundary: isWord(position - 1) == isWord(position)
    }
  }
}
