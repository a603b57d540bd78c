/// Reads the text of a regular expression.
struct RegularExpressionParser {
  private typealias Node = RegularExpressionNode
  private typealias CompileError = RegularExpression.CompileError

  /// Groups within each other: more is a mistake, and each level costs stack.
  private static let maximumDepth = 50
  /// The most repetitions that an interval can ask for (RE_DUP_MAX of POSIX).
  private static let maximumCount = 255

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var ignoresCase = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func error(_ reason: String, _ remedy: String? = nil) -> RegularExpression.CompileError {
    RegularExpression.CompileError(reason: reason, remedy: remedy, position: position)
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  mutating func parse() throws(RegularExpression.CompileError) -> RegularExpressionNode {
    if take("(?i)") { ignoresCase = true }
    let node = try choice()
    guard position == scalars.count else {
      throw error("this ) closes nothing", "write \\) for the character itself")
    }
    return node
  }

  private mutating func choice() throws(RegularExpression.CompileError) -> RegularExpressionNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw error("too many groups within each other") }
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .choice(nodes)
  }

  private mutating func sequence() throws(RegularExpression.CompileError) -> RegularExpressionNode {
    var nodes: [RegularExpressionNode] = []
    while let next, next != "|", next != ")" {
      let node = try repeated(try atom())
      if case .empty = node { continue }
      nodes.append(node)
    }
    return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func repeated(
    _ atom: RegularExpressionNode
  ) throws(RegularExpression.CompileError) -> RegularExpressionNode {
    var node = atom
    var count = 0
    while let next, "*+?{".unicodeScalars.contains(next) {
      count += 1
      guard count <= 10 else { throw error("too many repetitions of one thing") }
      let bounds: (Int, Int?)
      switch next {
      case "*": bounds = (0, nil)
      case "+": bounds = (1, nil)
      case "?": bounds = (0, 1)
      default: bounds = try interval()
      }
      if next != "{" { position += 1 }
      if case .empty = node { continue }
      node = .repeated(node, minimum: bounds.0, maximum: bounds.1)
    }
    return node
  }

  /// `{2}`, `{2,}` or `{2,5}`.
  private mutating func interval() throws(RegularExpression.CompileError) -> (Int, Int?) {
    let start = position
    position += 1
    let low = number()
    var high = low
    if take(",") { high = number() }
    guard let low, take("}") else {
      position = start
      throw error("this { begins no interval such as {2,5}", "write \\{ for the character itself")
    }
    guard max(low, high ?? 0) <= Self.maximumCount, low <= high ?? low else {
      position = start
      throw error(
        "the interval is out of range", "use {low,high} with at most \(Self.maximumCount)")
    }
    return (low, scalars[position - 2] == "," ? nil : high)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let next, ("0"..."9").contains(next) {
      value = min((value ?? 0) * 10 + Int(next.value - 48), 100_000)
      position += 1
    }
    return value
  }

  private mutating func atom() throws(RegularExpression.CompileError) -> RegularExpressionNode {
    guard let scalar = next else { return .empty }
    switch scalar {
    case "*", "+", "?", "{":
      throw error(
        "there is nothing before \(scalar) to repeat",
        scalar == "*"
          ? "write .* for any text, or \\* for the character itself"
          : "write \\\(scalar) for the character itself")
    case "(":
      let start = position
      position += 1
      if next == "?" { throw error("only (?i) is known, at the very front") }
      let node = try choice()
      guard take(")") else {
        position = start
        throw error("this ( is not closed", "write \\( for the character itself")
      }
      return node
    case "[": return .characters(try bracket())
    case "\\": return try escape()
    default: break
    }
    position += 1
    switch scalar {
    case ".": return .characters(.any)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    default: return .characters(.one(scalar))
    }
  }

  private mutating func escape() throws(RegularExpression.CompileError) -> RegularExpressionNode {
    position += 1
    guard let scalar = next else {
      throw error("a backslash stands at the end", "write \\\\ for the character itself")
    }
    switch scalar {
    case "1"..."9":
      throw error("back-references are not supported", "write the text out")
    case "d", "D": throw error("\\\(scalar) is not known", "write [0-9] or [^0-9]")
    default: break
    }
    let node: RegularExpressionNode? =
      switch scalar {
      case "w": .characters(RegularExpressionSet(classes: [.word]))
      case "W": .characters(RegularExpressionSet(excluded: [.word]))
      case "s": .characters(RegularExpressionSet(classes: [.space]))
      case "S": .characters(RegularExpressionSet(excluded: [.space]))
      case "b": .assertion(.wordBoundary)
      case "B": .assertion(.noWordBoundary)
      default: nil
      }
    if node == nil, RegularExpressionSet.Class.alnum.contains(scalar) {
      throw error("\\\(scalar) is not known", "write \(scalar) for the character itself")
    }
    position += 1
    return node ?? .characters(.one(scalar))
  }

  private mutating func bracket() throws(RegularExpression.CompileError) -> RegularExpressionSet {
    let start = position
    position += 1
    var set = RegularExpressionSet()
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      if take("[:") {
        set.classes.append(try named())
        continue
      }
      let low = try element()
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges.append(low...low)
        continue
      }
      position += 1
      let high = try element()
      guard low <= high else {
        throw error("the range in [] ends before it begins", "put the lower character first")
      }
      set.ranges.append(low...high)
    }
    guard take("]") else {
      position = start
      throw error("this [ is not closed", "write \\[ for the character itself")
    }
    return set
  }

  private mutating func named() throws(RegularExpression.CompileError) -> RegularExpressionSet.Class
  {
    let start = position - 2
    var name = ""
    while let scalar = next, scalar != ":", name.utf8.count < 10 {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take(":]"), name != "word", let named = RegularExpressionSet.Class(rawValue: name) else {
      position = start
      throw error("there is no such class", "use one such as [[:alpha:]] or [[:digit:]]")
    }
    return named
  }

  /// A character in brackets, be it written as `[.-.]` or `[=e=]`.
  private mutating func element() throws(RegularExpression.CompileError) -> Unicode.Scalar {
    for mark in [".", "="] where take("[\(mark)") {
      guard let scalar = next else { break }
      position += 1
      guard take("\(mark)]") else { throw error("expected one character and \(mark)]") }
      return scalar
    }
    guard let scalar = next else { throw error("a [ is not closed") }
    position += 1
    return scalar
  }
}
