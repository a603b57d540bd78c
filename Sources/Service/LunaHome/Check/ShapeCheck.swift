import LunaJSON
import SafeText

/// Compares a file with the declaration of its keys.
struct ShapeCheck {
  var problems: ProblemList
  /// Whether a key that means nothing is an error.
  let isStrict: Bool
  private var path: [String] = []

  init(_ problems: ProblemList, isStrict: Bool) {
    self.problems = problems
    self.isStrict = isStrict
  }

  private mutating func tell(
    _ code: Problem.Code, _ node: SourceNode, _ reason: String, hint: String? = nil
  ) {
    tell(.error, code, node, reason, hint: hint)
  }

  private mutating func tell(
    _ level: Problem.Level, _ code: Problem.Code, _ node: SourceNode, _ reason: String,
    hint: String? = nil
  ) {
    problems.add(level, code, at: node.range.lowerBound, path: path, reason, hint: hint)
  }

  private mutating func tellType(_ node: SourceNode, _ shape: Shape) {
    tell(
      .wrongType, node, "\(node.kind) stands here", hint: "expected is \(shape.description)")
  }

  mutating func check(_ node: SourceNode, _ shape: Shape) {
    if case .broken = node.value { return }
    switch shape {
    case .any: break
    case .bool: if node.bool == nil { tellType(node, shape) }
    case .yes:
      if node.bool == nil { tellType(node, shape) }
      if node.bool == false {
        tell(.range, node, "this can only be true", hint: "leave it out, or write true")
      }
    case .integer(let range):
      guard let number = node.integer else {
        return node.number == nil || Double(Int64.max) > abs(node.number ?? 0)
          ? tellType(node, shape) : tellRange(node, shape)
      }
      if !range.contains(number) { tellRange(node, shape) }
    case .number(let range):
      guard let number = node.number else { return tellType(node, shape) }
      if !range.contains(number) { tellRange(node, shape) }
    case .text(let form): check(node, form, shape)
    case .choice(let words): check(node, words, shape)
    case .list(let element, let least): check(node, element, least, shape)
    case .map(let value):
      guard case .object(let members) = node.value else { return tellType(node, shape) }
      for member in members { within(member.name) { $0.check(member.value, value) } }
    case .object(let members): check(node, members, shape)
    case .one(let keys): checkOne(node, keys, shape)
    case .either(let shapes):
      guard let fitting = shapes.first(where: { $0.isKind(of: node) }) else {
        if shapes.contains(where: { if case .secret = $0 { true } else { false } }) {
          return check(node, .secret())
        }
        return tellType(node, shape)
      }
      check(node, fitting)
    case .secret(let allowsText): checkSecret(node, allowsText, shape)
    case .named(let name): if let shape = HomeKeys.named[name] { check(node, shape) }
    }
  }

  private mutating func within(_ name: String, _ body: (inout ShapeCheck) -> Void) {
    path.append(name)
    body(&self)
    path.removeLast()
  }

  private mutating func tellRange(_ node: SourceNode, _ shape: Shape) {
    tell(.range, node, "\(node.json) is out of range", hint: "expected is \(shape.description)")
  }

  private mutating func check(_ node: SourceNode, _ form: TextForm, _ shape: Shape) {
    guard let text = node.text else { return tellType(node, shape) }
    guard !form.accepts(text) else { return }
    tell(
      form.code, node, "\(JSONEscape.quoted(text)) is not \(form.name)",
      hint: "write it as \(JSONEscape.quoted(form.example))")
  }

  private mutating func check(_ node: SourceNode, _ words: [String], _ shape: Shape) {
    guard let text = node.text else { return tellType(node, shape) }
    guard !words.contains(text) else { return }
    let near = Suggestion.nearest(to: text, among: words)
    tell(
      .range, node, "\(JSONEscape.quoted(text)) is none of \(words.joined(separator: ", "))",
      hint: near.map { "did you mean \($0)?" })
  }

  private mutating func check(
    _ node: SourceNode, _ element: Shape, _ least: Int, _ shape: Shape
  ) {
    guard case .array(let elements) = node.value else { return tellType(node, shape) }
    if elements.count < least {
      tell(.range, node, "this list is empty", hint: "put something into it, or leave it out")
    }
    for (index, value) in elements.enumerated() {
      within(String(index)) { $0.check(value, element) }
    }
  }

  private mutating func check(_ node: SourceNode, _ members: Members, _ shape: Shape) {
    guard case .object(let found) = node.value else { return tellType(node, shape) }
    checkNames(found, members.keys)
    let names = Set(found.map(\.name))
    func has(_ name: String) -> Bool {
      members.keys.first { $0.name == name }?.names.contains { names.contains($0) } ?? false
    }
    for key in members.keys where key.isRequired && !has(key.name) {
      tell(.missing, node, "'\(key.name)' is missing", hint: "it is \(key.shape.description)")
    }
    for (key, others) in members.together.sorted(by: { $0.key < $1.key }) where has(key) {
      for other in others where !has(other) {
        tell(.missing, node, "'\(other)' is missing beside '\(key)'", hint: "add it")
      }
    }
    for keys in members.exclusive where keys.filter(has).count > 1 {
      tell(
        .range, node, "'\(keys.joined(separator: "' and '"))' exclude each other",
        hint: "keep one of them")
    }
    for keys in members.exactlyOne where keys.filter(has).count != 1 {
      let isMissing = keys.filter(has).isEmpty
      tell(
        isMissing ? .missing : .range, node,
        "\(isMissing ? "none" : "more than one") of \(keys.joined(separator: ", ")) is there",
        hint: "write exactly one")
    }
    for need in members.needs where node[need.key]?.text == need.value {
      for name in need.needs where !has(name) {
        tell(.missing, node, "'\(name)' is missing, which \(need.value) needs", hint: "add it")
      }
    }
  }

  private mutating func checkNames(_ found: [SourceNode.Member], _ keys: [Key]) {
    var seen: [String: Int] = [:]
    for member in found {
      guard let key = keys.first(where: { $0.names.contains(member.name) }) else {
        tellUnknown(member, keys)
        continue
      }
      let line = problems.line(of: member.offset)
      if let first = seen.updateValue(line, forKey: key.name) {
        within(member.name) {
          $0.problems.add(
            .duplicateKey, at: member.offset, path: $0.path,
            "'\(member.name)' is '\(key.name)', which is there already, on line \(first)",
            hint: "keep one of the two")
        }
      }
      check(member, as: key)
    }
  }

  private mutating func check(_ member: SourceNode.Member, as key: Key) {
    if !key.isUsed {
      problems.add(
        .warning, .unknownKey, at: member.offset, path: path + [member.name],
        "nothing is done with '\(member.name)' yet", hint: "leave it out, or let it stand")
    }
    within(member.name) { $0.check(member.value, key.shape) }
  }

  private mutating func tellUnknown(_ member: SourceNode.Member, _ keys: [Key]) {
    let near = Suggestion.nearest(to: member.name, among: keys.flatMap(\.names))
    problems.add(
      isStrict ? .error : .warning, .unknownKey, at: member.offset, path: path + [member.name],
      "'\(member.name)' means nothing here",
      hint: near.map { "did you mean '\($0)'?" } ?? "leave it out")
  }

  private mutating func checkOne(_ node: SourceNode, _ keys: [Key], _ shape: Shape) {
    guard case .object(let found) = node.value else { return tellType(node, shape) }
    guard let member = found.first, found.count == 1 else {
      return tell(
        found.isEmpty ? .missing : .range, node,
        found.isEmpty ? "this object is empty" : "this object has more than one member",
        hint: "write one of \(keys.map(\.name).joined(separator: ", "))")
    }
    guard let key = keys.first(where: { $0.name == member.name }) else {
      let near = Suggestion.nearest(to: member.name, among: keys.map(\.name))
      return tell(
        .missing, node,
        "'\(member.name)' is none of \(keys.map(\.name).joined(separator: ", "))",
        hint: near.map { "did you mean '\($0)'?" })
    }
    check(member, as: key)
  }

  private mutating func checkSecret(_ node: SourceNode, _ allowsText: Bool, _ shape: Shape) {
    guard case .object = node.value else {
      // What stands here is never repeated.
      return tell(
        allowsText && node.text != nil ? .warning : .error, .secretInFile, node,
        "a secret stands in the file",
        hint: #"write {"env":"NAME"}, {"file":"PATH"} or {"credential":"NAME"}"#)
    }
    check(node, HomeKeys.secret)
  }
}

extension Shape {
  /// Whether a value is of the type that this shape asks for, be it right or not.
  fileprivate func isKind(of node: SourceNode) -> Bool {
    switch (self, node.value) {
    case (.any, _), (.bool, .bool), (.yes, .bool), (.integer, .integer), (.integer, .real),
      (.number, .integer), (.number, .real), (.text, .string), (.choice, .string),
      (.list, .array), (.map, .object), (.object, .object), (.one, .object), (.secret, .object):
      true
    default: false
    }
  }
}
