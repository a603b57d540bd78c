/// A version by its numbers: 1.10 is after 1.9, and 1.2 is 1.2.0.
struct VersionOrder: Comparable, Sendable {
  let parts: [Int]

  init(parts: [Int]) {
    self.parts = Array(parts.reversed().drop { $0 == 0 }.reversed())
  }

  /// What is behind the numbers does not count.
  init(_ text: String) {
    let numbers = text.prefix { $0.isNumber || $0 == "." }
    self.init(parts: numbers.split(separator: ".").map { Int($0) ?? 0 })
  }

  static func < (left: VersionOrder, right: VersionOrder) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }
}
