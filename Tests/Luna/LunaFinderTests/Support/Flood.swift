import Testing

/// Somebody who makes identifiers up and sends each of them again, a while apart.
struct Flood: Sendable, CustomTestStringConvertible {
  /// The first number that is made up.
  static let made: UInt64 = 1_000_000
  /// How much time passes with a step, ms; gaps are so many times as long.
  static let step = 50

  /// How many are sent in a second.
  let rate: Int
  let repeats: Int
  /// How far apart one is sent, ms.
  let gap: Int
  /// How loud they are, dBm.
  let strength: Int
  /// How many were made up.
  private(set) var count: UInt64 = 0
  private var owed = 0.0
  /// Who is sent in each of the next steps, and how often after that.
  private var due: [[(number: UInt64, rest: Int)]]
  private var turn = 0

  init(_ rate: Int, _ repeats: Int, gap: Int, strength: Int = -60) {
    self.rate = rate
    self.repeats = repeats
    self.gap = gap
    self.strength = strength
    due = Array(repeating: [], count: gap / Flood.step + 1)
  }

  var testDescription: String {
    "\(rate) a second, each \(repeats) times, \(gap) ms apart, at \(strength) dBm"
  }

  /// How long an identifier is kept alive, s.
  var life: Double { Double((repeats - 1) * gap) / 1000 }

  /// How many reach their sixth time in a second.
  var sixths: Double { repeats >= 6 ? Double(rate) / Double(repeats) : 0 }

  /// What is sent in the next step; without new ones where it has run out of them.
  mutating func next(isInventing: Bool = true) -> [UInt64] {
    var sent = due[turn]
    due[turn] = []
    if isInventing { owed += Double(rate * Flood.step) / Double(1000 * repeats) }
    while owed >= 1 {
      owed -= 1
      sent.append((Flood.made + count, repeats))
      count += 1
    }
    let later = (turn + due.count - 1) % due.count
    for (number, rest) in sent where rest > 1 { due[later].append((number, rest - 1)) }
    turn = (turn + 1) % due.count
    return sent.map(\.number)
  }
}
