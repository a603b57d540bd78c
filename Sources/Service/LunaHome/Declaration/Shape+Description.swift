extension Shape {
  /// What a value is, for a sentence: `a number from 1 to 60`.
  var description: String {
    switch self {
    case .any: "any value"
    case .bool: "true or false"
    case .yes: "true"
    case .integer(let range):
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "a number" + Shape.bounds(range)
    case .text(let form): form.name
    case .choice(let words): words.joined(separator: ", ")
    case .list(let element, _): "a list of: \(element.description)"
    case .object, .map: "an object"
    case .one(let keys): "an object with one of: \(keys.map(\.name).joined(separator: ", "))"
    case .either(let shapes): shapes.map(\.description).joined(separator: ", or ")
    case .secret: "where a secret is: {\"env\"}, {\"file\"} or {\"credential\"}"
    case .named(let name): "a \(name)"
    }
  }

  private static func bounds(_ range: ClosedRange<Double>) -> String {
    switch (range.lowerBound > -1e300, range.upperBound < 1e300) {
    case (true, true): " from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case (true, false): " from \(plain(range.lowerBound))"
    case (false, true): " up to \(plain(range.upperBound))"
    case (false, false): ""
    }
  }

  private static func plain(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? "\(number)"
  }
}
