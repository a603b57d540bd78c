/// Turns a regular expression into the steps of a program.
struct RegularExpressionCompiler {
  /// The most steps: repetitions of repetitions grow fast.
  private static let maximumCount = 2_000

  private var steps: [RegularExpressionStep] = []

  mutating func compile(
    _ node: RegularExpressionNode
  ) throws(RegularExpression.CompileError) -> [RegularExpressionStep] {
    try add(node)
    try append(.accept)
    return steps
  }

  private mutating func append(
    _ step: RegularExpressionStep
  ) throws(RegularExpression.CompileError) {
    guard steps.count < Self.maximumCount else {
      throw RegularExpression.CompileError(
        reason: "it is too large", remedy: "use fewer or smaller repetitions", position: 0)
    }
    steps.append(step)
  }

  private mutating func add(_ node: RegularExpressionNode) throws(RegularExpression.CompileError) {
    switch node {
    case .empty: break
    case .characters(let set): try append(.take(set))
    case .assertion(let assertion): try append(.check(assertion))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .choice(let nodes): try addChoice(nodes)
    case .repeated(let inner, let minimum, let maximum):
      try addRepeated(inner, minimum, maximum)
    }
  }

  private mutating func addChoice(
    _ nodes: [RegularExpressionNode]
  ) throws(RegularExpression.CompileError) {
    var ends: [Int] = []
    for (index, node) in nodes.enumerated() {
      guard index < nodes.count - 1 else {
        try add(node)
        break
      }
      let split = steps.count
      try append(.split(split + 1, 0))
      try add(node)
      ends.append(steps.count)
      try append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func addRepeated(
    _ inner: RegularExpressionNode, _ minimum: Int, _ maximum: Int?
  ) throws(RegularExpression.CompileError) {
    for _ in 0..<minimum {
      let start = steps.count
      try add(inner)
      // Nothing, however often, is nothing.
      if steps.count == start { return }
    }
    guard let maximum else {
      let split = steps.count
      try append(.split(split + 1, 0))
      try add(inner)
      try append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in minimum..<max(minimum, maximum) {
      splits.append(steps.count)
      try append(.split(steps.count + 1, 0))
      try add(inner)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
