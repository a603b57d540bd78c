import SafeText

/// Reads JSON with comments and trailing commas, and goes on after a mistake.
struct SourceReader {
  /// The largest file, bytes.
  static let largest = 1 << 20
  /// How many brackets may stand in each other.
  static let deepest = 32

  /// A bracket that is open.
  struct Bracket {
    let isObject: Bool
    let offset: Int

    var opening: String { isObject ? "{" : "[" }
    var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  let text: SourceText
  var position: Int
  var problems: ProblemList
  /// Where commas are missing.
  var commas: [Int] = []
  var path: [String] = []
  var open: [Bracket] = []
  /// What is looked at ahead is told when it is read.
  var isSilent = false
  /// Whether the last text had no end.
  var endsInText = false
  /// How many there were, but for missing commas: those are all wanted, to be inserted.
  private var mistakes = 0

  init(_ text: SourceText) {
    self.text = text
    position = text.start
    problems = ProblemList(text)
  }

  var bytes: [UInt8] { text.bytes }
  /// The byte here; nil at the end, and when there is no point in going on.
  var next: UInt8? {
    mistakes <= ProblemList.limit && position < text.bytes.count ? text.bytes[position] : nil
  }

  /// The value of the file; nil when there is none.
  mutating func read() -> SourceNode? {
    guard bytes.count <= SourceReader.largest else {
      tell(.syntax, at: text.start, "the file is larger than 1 MiB", hint: "split what is in it")
      return nil
    }
    if let foreign = text.firstForeignByte {
      tell(.syntax, at: foreign, "this is not UTF-8", hint: "save the file as UTF-8")
    }
    skipBlanks()
    guard next != nil else {
      tell(.syntax, at: position, "there is nothing in the file", hint: "{} is the shortest one")
      return nil
    }
    guard let node = value() else {
      tell(
        .syntax, at: position, "no value begins with \(character)", hint: "the file is an object")
      return nil
    }
    readRest(after: node)
    return node
  }

  /// What stands behind the value of the file should be nothing.
  private mutating func readRest(after node: SourceNode) {
    let end = max(node.range.upperBound - 1, 0)
    while true {
      skipBlanks()
      switch next {
      case nil: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        tell(
          .extraClose, at: position,
          "this \(character) closes nothing: what the file holds ended on line \(line(end))",
          hint: "leave it out, or one before it")
        position += 1
      default:
        tell(
          .syntax, at: position, "text after the end of the value, which is on line \(line(end))",
          hint: "leave it out")
        return
      }
    }
  }

  /// A value, after blanks; nil when none stands here, and nothing was taken.
  mutating func value() -> SourceNode? {
    skipBlanks()
    switch next {
    case nil, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
      return nil
    case UInt8(ascii: "{"): return nested(isObject: true)
    case UInt8(ascii: "["): return nested(isObject: false)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let start = position
      let string = string()
      // Where a text without an end stops is a guess.
      return SourceNode(
        value: endsInText ? .broken : .string(string), range: start..<position)
    default: return word()
    }
  }

  private mutating func nested(isObject: Bool) -> SourceNode {
    let start = position
    guard open.count < SourceReader.deepest else {
      tell(
        .syntax, at: start, "more than \(SourceReader.deepest) brackets stand in each other",
        hint: "leave out what is in here")
      skipNested()
      return SourceNode(value: .broken, range: start..<position)
    }
    position += 1
    open.append(Bracket(isObject: isObject, offset: start))
    let value: SourceNode.Value = isObject ? object() : array()
    open.removeLast()
    return SourceNode(value: value, range: start..<position)
  }

  /// Skips a value that is too deep, however deep.
  private mutating func skipNested() {
    var depth = 0
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    while let byte = next {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        _ = string()
        continue
      case UInt8(ascii: "/"):
        let start = position
        skipBlanks()
        if position > start { continue }
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }

  mutating func tell(
    _ code: Problem.Code, at offset: Int, _ reason: String, hint: String? = nil,
    path: [String]? = nil
  ) {
    if isSilent { return }
    if code != .missingComma { mistakes += 1 }
    problems.add(code, at: offset, path: path ?? self.path, reason, hint: hint)
  }

  func line(_ offset: Int) -> Int { text.line(of: offset) }

  /// The character that stands here, for a sentence.
  var character: String {
    let rest = bytes[position..<min(position + 4, bytes.count)]
    return String(decoding: rest, as: UTF8.self).unicodeScalars.first.map { String($0) } ?? ""
  }

  mutating func skipBlanks() {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/") where after == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where after == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "#"):
        tell(.syntax, at: position, "a comment begins with //, not with #", hint: "write //")
        skipLine()
      default: return
      }
    }
  }

  private var after: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private mutating func skipLine() {
    while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipComment() {
    let start = position
    position += 2
    while let byte = next {
      if byte == UInt8(ascii: "*"), after == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
    tell(.syntax, at: start, "this comment has no end", hint: "put */ where it ends")
  }
}
