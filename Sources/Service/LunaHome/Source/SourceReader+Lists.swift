import SafeText

// Objects and lists, with commas that are missing and brackets that are one too many.

extension SourceReader {
  /// A value that no comma has followed yet.
  struct Pending {
    let name: String?
    let range: Range<Int>
    let path: [String]
    /// Whether a comma behind it would be one: not in a text without an end.
    let canMend: Bool
  }

  /// The rest of an object, behind its bracket.
  mutating func object() -> SourceNode.Value {
    var members: [SourceNode.Member] = []
    var names: [String: Int] = [:]
    var pending: Pending?
    while true {
      skipBlanks()
      switch next {
      case nil:
        tellUnclosed()
        return .object(members)
      case UInt8(ascii: "}"):
        guard isOneTooMany else {
          position += 1
          return .object(members)
        }
        tellEarlyClose()
        position += 1
        // Whether a comma stands between, before or behind the bracket, is no further mistake.
        skipBlanks()
        if next == UInt8(ascii: ",") { position += 1 }
        pending = nil
      case UInt8(ascii: "]"): if closesHere() { return .object(members) }
      case UInt8(ascii: ","): takeComma(&pending)
      default:
        guard let member = member(&pending) else { continue }
        if let line = names[member.name] {
          tell(
            .duplicateKey, at: member.offset, "'\(member.name)' is there already, on line \(line)",
            hint: "keep one of the two", path: path + [member.name])
        } else {
          names[member.name] = line(member.offset)
          members.append(member)
        }
      }
    }
  }

  /// The rest of a list, behind its bracket.
  mutating func array() -> SourceNode.Value {
    var elements: [SourceNode] = []
    var pending: Pending?
    while true {
      skipBlanks()
      switch next {
      case nil:
        tellUnclosed()
        return .array(elements)
      case UInt8(ascii: "]"):
        position += 1
        return .array(elements)
      case UInt8(ascii: "}"): if closesHere() { return .array(elements) }
      case UInt8(ascii: ","): takeComma(&pending)
      default:
        path.append(String(elements.count))
        defer { path.removeLast() }
        guard let element = value() else {
          tellUnexpected()
          position += 1
          continue
        }
        tellMissingComma(pending, before: nil)
        elements.append(element)
        pending = Pending(name: nil, range: element.range, path: path, canMend: canMend(element))
      }
    }
  }

  /// A name, a colon and a value; nil when that is not all there.
  private mutating func member(_ pending: inout Pending?) -> SourceNode.Member? {
    let start = position
    guard let name = name() else {
      tellUnexpected()
      position += 1
      return nil
    }
    tellMissingComma(pending, before: name)
    pending = nil
    path.append(name)
    defer { path.removeLast() }
    let end = position
    skipBlanks()
    if next == UInt8(ascii: ":") {
      position += 1
    } else {
      tell(
        .syntax, at: end, "no ':' after '\(name)'", hint: "write \(JSONEscape.quoted(name)): value")
      if next == UInt8(ascii: "=") { position += 1 }
    }
    guard let value = value() else {
      if next == UInt8(ascii: ":") { position += 1 }
      tell(.syntax, at: start, "'\(name)' has no value", hint: "put one after the ':'")
      return nil
    }
    pending = Pending(name: name, range: value.range, path: path, canMend: canMend(value))
    return SourceNode.Member(name: name, offset: start, value: value)
  }

  private mutating func name() -> String? {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return string() }
    let start = position
    let letters = letters()
    guard !letters.isEmpty else { return nil }
    tell(
      .syntax, at: start, "the name \(letters) is not in quotation marks",
      hint: "write \(JSONEscape.quoted(letters))")
    return letters
  }

  private mutating func takeComma(_ pending: inout Pending?) {
    if pending == nil {
      tell(.syntax, at: position, "nothing stands before this comma", hint: "leave it out")
    }
    pending = nil
    position += 1
  }

  private mutating func tellMissingComma(_ pending: Pending?, before name: String?) {
    guard let pending, pending.canMend, !isSilent else { return }
    let end = pending.range.upperBound
    commas.append(end)
    let between =
      pending.name.flatMap { first in name.map { "'\(first)' and '\($0)'" } } ?? "two values"
    tell(
      .missingComma, at: end, "no ',' between \(between)",
      hint: "put a comma after \(tail(of: pending.range)) on line \(line(end))", path: pending.path)
  }

  /// What a value ends with: all of it where that is short.
  private func tail(of range: Range<Int>) -> String {
    let last = bytes[range.upperBound - 1]
    let isBracket = last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
    if range.count > 24 || isBracket { return "the \(Character(Unicode.Scalar(last)))" }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether a value has an end: a text that has none takes in what is put behind it.
  private func canMend(_ node: SourceNode) -> Bool {
    guard case .broken = node.value else { return true }
    return !"\"'".utf8.contains(bytes[node.range.lowerBound])
  }

  private mutating func tellUnexpected() {
    tell(.syntax, at: position, "'\(character)' is not expected here", hint: "leave it out")
  }

  private mutating func tellUnclosed() {
    guard let bracket = open.last else { return }
    tell(
      .syntax, at: bracket.offset,
      "this \(bracket.opening) has no "
        + "\(Character(Unicode.Scalar(bracket.closing)))",
      hint: "close it where its last value ends")
  }

  /// Whether the brace here closes an object whose next member follows all the same: a name and a
  /// colon cannot stand in a list, nor behind the value of the file.
  private var isOneTooMany: Bool {
    if open.count > 1, open[open.count - 2].isObject { return false }
    var ahead = self
    ahead.isSilent = true
    ahead.position += 1
    ahead.skipBlanks()
    if ahead.next == UInt8(ascii: ",") {
      ahead.position += 1
      ahead.skipBlanks()
    }
    guard ahead.next == UInt8(ascii: "\"") else { return false }
    _ = ahead.string()
    ahead.skipBlanks()
    return ahead.next == UInt8(ascii: ":")
  }

  private mutating func tellEarlyClose() {
    guard let bracket = open.last else { return }
    tell(
      .extraClose, at: position,
      "this } closes the { of line \(line(bracket.offset)), but members of it follow",
      hint: "leave out this }, or the one too many before it")
  }

  /// A bracket that does not fit the one that is open: it is one too many, or the right one before it
  /// is missing.
  ///
  /// - Returns: whether the open one ends here, before the bracket.
  private mutating func closesHere() -> Bool {
    guard let current = open.last, let closer = next else { return true }
    let matching = open.dropLast().last { $0.closing == closer }
    var ahead = self
    ahead.isSilent = true
    ahead.position += 1
    ahead.skipBlanks()
    if ahead.next == UInt8(ascii: ",") {
      ahead.position += 1
      ahead.skipBlanks()
    }
    if let matching, ahead.next != current.closing {
      tell(
        .syntax, at: position,
        "the \(current.opening) of line \(line(current.offset)) is not closed before this "
          + "\(character), which closes the \(matching.opening) of line \(line(matching.offset))",
        hint: "put a \(Character(Unicode.Scalar(current.closing))) before it")
      return true
    }
    let closed = matching.map { "would close the \($0.opening) of line \(line($0.offset))" }
    tell(
      .extraClose, at: position,
      "this \(character) \(closed ?? "closes nothing"), but the \(current.opening) of line "
        + "\(line(current.offset)) is still open",
      hint: "leave it out")
    position += 1
    return false
  }
}
