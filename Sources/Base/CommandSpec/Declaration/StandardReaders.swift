import SafeText

extension ValueReader where Value == String {
  /// Any text, the empty one included.
  public static var text: Self { Self(expects: "text") { $0 } }

  /// The path of a file; whether it exists is not looked at.
  public static var file: Self { path("a file", .file) }

  /// The path of a directory; whether it exists is not looked at.
  public static var directory: Self { path("a directory", .directory) }

  private static func path(_ expects: String, _ hint: ValueHint) -> Self {
    Self(expects: expects, hint: hint) { text throws(ValueProblem) in
      if text.isEmpty { throw ValueProblem("is empty") }
      return text
    }
  }
}

extension ValueReader where Value: FixedWidthInteger {
  /// A decimal whole number in a range.
  public static func integer(_ range: ClosedRange<Value> = .min ... .max) -> Self {
    // Nobody comes to the ends of the widest types.
    let ends: (Value, Value)? = Value.bitWidth < 64 ? nil : (Value.min, Value.max)
    let expects = rangeText("a whole number", range, unless: ends)
    return Self(expects: expects) { text throws(ValueProblem) in
      let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
      guard text.utf8.count - digits.count <= 1, !digits.isEmpty, digits.allSatisfy(isDigit) else {
        throw ValueProblem("is not a whole number")
      }
      guard let value = Value(text), range.contains(value) else {
        throw ValueProblem("is out of range")
      }
      return value
    }
  }

  /// A decimal whole number of at least this.
  public static func integer(_ range: PartialRangeFrom<Value>) -> Self {
    integer(range.lowerBound ... .max)
  }
}

extension ValueReader where Value == Double {
  /// A decimal number in a range, such as a latitude in degrees.
  public static func number(_ range: ClosedRange<Double>) -> Self {
    Self(expects: rangeText("a number", range, unless: nil)) { text throws(ValueProblem) in
      let plain = text.utf8.allSatisfy { isDigit($0) || "+-.eE".utf8.contains($0) }
      guard plain, let value = Double(text) else { throw ValueProblem("is not a number") }
      guard range.contains(value) else { throw ValueProblem("is out of range") }
      return value
    }
  }
}

extension ValueReader where Value == Duration {
  /// A length of time such as `10s`, `500ms`, `1h30m` or `2.5m`, above zero; a number alone is
  /// seconds.
  public static var duration: Self {
    Self(expects: "a time such as 500ms, 10s, 2m or 1h") { text throws(ValueProblem) in
      guard let value = DurationText.parse(text) else { throw ValueProblem("is not a time") }
      guard value > .zero else { throw ValueProblem("is not above zero") }
      return value
    }
  }
}

extension ValueReader {
  /// One of these words.
  public static func choice(_ choices: [(Choice, Value)]) -> Self {
    let words = choices.map(\.0)
    let names = words.map(\.name)
    return Self(expects: listing(names, "or"), hint: .choices(words)) {
      text throws(ValueProblem) in
      guard let match = choices.first(where: { $0.0.name == text }) else {
        let guess = Suggestion.nearest(to: text, among: names)
        throw ValueProblem("is not known" + (guess.map { " (did you mean \($0)?)" } ?? ""))
      }
      return match.1
    }
  }

  /// Several of what the reader reads, separated by commas; `a,b` is the same as `a, b`.
  public static func list<Element>(of element: ValueReader<Element>) -> Self
  where Value == [Element] {
    let hint: ValueHint =
      if case .choices(let words) = element.hint { .list(words) } else { .text }
    var reader = Self(expects: "a list, separated by commas, of \(element.expects)", hint: hint) {
      text throws(ValueProblem) in
      var values: [Element] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let word = String(part.trimmingSpaces())
        do throws(ValueProblem) {
          values.append(try element.read(word))
        } catch {
          let reason =
            word.isEmpty
            ? "has an empty entry"
            : element.isSecret
              ? "has an entry that \(error.reason)"
              : "has an entry \(QuotedWord.quote(word)) that \(error.reason)"
          throw ValueProblem(reason, remedy: error.remedy)
        }
      }
      return values
    }
    reader.isSecret = element.isSecret
    return reader
  }
}

extension ValueReader where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  public static var choice: Self {
    choice(Value.allCases.map { (Choice($0.rawValue), $0) })
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }

/// `a number from 1 to 9`; bounds that are those of the type itself are not mentioned.
private func rangeText<Bound>(
  _ what: String, _ range: ClosedRange<Bound>, unless ends: (Bound, Bound)?
) -> String {
  switch (range.lowerBound == ends?.0, range.upperBound == ends?.1) {
  case (true, true): what
  case (true, false): "\(what) of at most \(range.upperBound)"
  case (false, true): "\(what) of at least \(range.lowerBound)"
  case (false, false): "\(what) from \(range.lowerBound) to \(range.upperBound)"
  }
}

/// `a, b or c`.
func listing(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
