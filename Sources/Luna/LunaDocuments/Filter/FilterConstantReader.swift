/// Reads constants that fit a field, so that a comparison that can never hold is an error.
struct FilterConstantReader {
  let field: FieldReference

  /// Refuses operators that make no sense for the field.
  func check(_ op: FilterOperator, at position: Int) throws(FilterError) {
    if field.kind == .boolean, op != .equal, op != .notEqual, op != .matches {
      throw FilterError(
        reason: "\(field.text) is true or false", remedy: "use == or !=", position: position)
    }
  }

  /// What stands right of an operator.
  func constant(_ op: FilterOperator, _ scan: inout FilterScanner) throws(FilterError)
    -> FilterConstant
  {
    guard op == .matches else { return try value(&scan) }
    scan.skipBlanks()
    let start = scan.position
    guard let text = try scan.quoted(isExpression: true) else {
      throw scan.error(
        "expected a regular expression in double quotes after ~",
        "write it as in name ~ \"Luna\"")
    }
    do throws(RegularExpression.CompileError) {
      return .pattern(try RegularExpression(text))
    } catch {
      throw FilterError(
        reason: "this is not a regular expression: \(error.reason)", remedy: error.remedy,
        position: start + 1 + error.position)
    }
  }

  /// A member of a set: a constant, or a range of numbers.
  func member(_ scan: inout FilterScanner) throws(FilterError) -> FilterConstant {
    scan.skipBlanks()
    let start = scan.position
    if scan.peek == "}" { throw scan.error("expected a constant", "a set is written {1, 2}") }
    let first = try value(&scan)
    guard scan.take("..") else { return first }
    guard case .number(let low) = first else {
      throw FilterError(
        reason: "a range is between numbers", remedy: "write it as in {-70..-60}", position: start)
    }
    guard case .number(let high) = try value(&scan), low <= high else {
      throw FilterError(
        reason: "the range ends before it begins", remedy: "put the smaller number first",
        position: start)
    }
    return .range(low...high)
  }

  private func value(_ scan: inout FilterScanner) throws(FilterError) -> FilterConstant {
    scan.skipBlanks()
    let start = scan.position
    if let text = try scan.quoted(isExpression: false) { return try fit(text, at: start) }
    let plain = scan.plain()
    if field.kind == .time { return .time(try time(plain, at: start, &scan)) }
    switch plain {
    case "true", "false":
      guard field.kind == .boolean else { throw mismatch(plain, at: start) }
      return .boolean(plain == "true")
    default: break
    }
    guard let number = Double(plain), number.isFinite, plain.contains(where: \.isNumber) else {
      throw FilterError(
        reason: plain.isEmpty
          ? "expected \(expectation)" : "\(plain) is not \(expectation)",
        remedy: plain.isEmpty || field.kind == .number || field.kind == .boolean
          ? nil : "put text in double quotes: \"\(plain)\"",
        position: start)
    }
    switch field.kind {
    case .number: return .number(number)
    case .text, .word, .boolean, .hex, .company, .map, .time: throw mismatch(plain, at: start)
    }
  }

  /// A time without quotes, of which `first` is already taken: behind a day there may be a time of day.
  private func time(
    _ first: String, at position: Int, _ scan: inout FilterScanner
  ) throws(FilterError) -> FilterTime {
    var ahead = scan
    let second = ahead.plain()
    if !second.isEmpty, let time = FilterTime("\(first) \(second)", at: position) {
      scan = ahead
      return time
    }
    return try time(first, at: position)
  }

  private func time(_ text: String, at position: Int) throws(FilterError) -> FilterTime {
    guard let time = FilterTime(text, at: position) else {
      throw FilterError(
        reason: text.isEmpty ? "expected \(expectation)" : "\(text) is not \(expectation)",
        remedy: "use one such as 2026-11-21 10:00, yesterday 09:00 or 24h", position: position)
    }
    return time
  }

  /// A text in quotes, as the field needs it.
  private func fit(_ text: String, at position: Int) throws(FilterError) -> FilterConstant {
    switch field.kind {
    case .text, .map: return .text(text)
    case .word:
      guard let vocabulary = FieldVocabulary(field.name) else { return .text(text) }
      guard let value = vocabulary.value(of: text) else {
        throw FilterError(
          reason: "\(field.text) is never \"\(text)\"",
          remedy: "it is one of \(vocabulary.words.map(\.value).joined(separator: ", "))",
          position: position)
      }
      return .text(value)
    case .company:
      let names = CompanyName.all(calledLike: text)
      guard names.isEmpty else { return .set(names.map { .text($0) }) }
      let nearest = CompanyName.nearest(to: text)
      throw FilterError(
        reason: "no company is called \"\(text)\"",
        remedy: nearest.map { "did you mean \"\($0)\"?" }
          ?? "use ~ for a part of a name, as in company ~ \"(?i)nordic\"", position: position)
    case .hex:
      guard let digits = FilterConstant.digits(text) else {
        throw FilterError(
          reason: "\(field.text) is compared with hexadecimal digits",
          remedy: "use digits such as \"4c00\", or ~ for an expression", position: position)
      }
      return .hex(digits)
    case .time: return .time(try time(text, at: position))
    case .number, .boolean: throw mismatch("text", at: position)
    }
  }

  private func mismatch(_ what: String, at position: Int) -> FilterError {
    let remedy =
      switch field.kind {
      case .number: "write a number without quotes, as in \(field.text) == 5"
      case .boolean: "write true or false without quotes"
      case .hex: "write hexadecimal digits in double quotes, as in \"4c00\""
      case .text, .word, .company, .map, .time: "put text in double quotes: \"\(what)\""
      }
    return FilterError(
      reason: "\(field.text) is \(expectation), not \(what)", remedy: remedy, position: position)
  }

  private var expectation: String {
    switch field.kind {
    case .number: "a number"
    case .boolean: "true or false"
    case .hex: "hexadecimal digits in double quotes"
    case .time: "a time"
    case .text, .word, .company, .map: "text in double quotes"
    }
  }
}
