/// The way of a search through its probes, as far as they are answered.
///
/// Bytes that are recognised together are each found alone, for a change of one of them is enough. Of several things
/// each of which is recognised by itself all have to be changed at once; that is how they are told apart (Zeller and
/// Hildebrandt, 2002, "Simplifying and isolating failure-inducing input": what changes one by one do not show, they
/// show beside each other).
struct MatchWay {
  /// Why it goes no further.
  enum End: Error {
    /// A probe is not answered yet.
    case unanswered(Probe)
    /// The answers cannot all be true.
    case contradiction
  }

  /// What is so long is not halved any more: each of its bytes is probed.
  private static let block = 4

  private let count: Int
  private var answers: ArraySlice<Bool>
  private var known: [Probe: Bool] = [:]
  private var fields: [InspectedField: Bool] = [:]
  private var alternatives: [[Range<Int>]] = []
  /// Where bytes of the alternative are that is looked at.
  private var blocks: [Range<Int>] = []

  init(_ answers: [Bool], bytes count: Int) {
    self.answers = answers[...]
    self.count = count
  }

  func finding(isContradictory: Bool) -> MatchFinding {
    MatchFinding(
      fields: fields, alternatives: alternatives, blocks: MatchWay.merged(blocks),
      isContradictory: isContradictory)
  }

  /// Goes it.
  mutating func search(_ fields: [InspectedField]) throws(End) {
    for field in fields { self.fields[field] = try ask(.field(field)) }
    // On a link that has become another one meanwhile they seem to end it: so does no change at all, then. What bytes
    // seem to is verified anyway.
    if count == 0, self.fields.values.contains(true), try ends([]) {
      self.fields = [:]
      throw .contradiction
    }
    guard count > 0, try ends([0..<count]) else { return }
    let witnesses = try witnesses(in: 0..<count, beside: [])
    for witness in witnesses {
      let alternative = try match(beside: witnesses.filter { $0 != witness })
      blocks = []
      alternatives.append(alternative)
    }
    try verify()
  }

  /// Whether what was found is all, and enough: without it the treatment ends, and with it alone it does not.
  private mutating func verify() throws(End) {
    let found = MatchWay.merged(alternatives.flatMap { $0 })
    let others = gaps(between: found)
    if !others.isEmpty, try ends(others) { throw .contradiction }
    guard try ends(found) else { throw .contradiction }
  }

  private mutating func ask(_ probe: Probe) throws(End) -> Bool {
    if let answer = known[probe] { return answer }
    guard let answer = answers.popFirst() else { throw .unanswered(probe) }
    known[probe] = answer
    return answer
  }

  /// Whether the treatment ends where these bytes are changed.
  private mutating func ends(_ ranges: [Range<Int>]) throws(End) -> Bool {
    try ask(.bytes(MatchWay.merged(ranges)))
  }

  /// A byte of each alternative. The treatment ends where the range and the others are changed, and does not where
  /// the others alone are.
  private mutating func witnesses(
    in range: Range<Int>, beside others: [Range<Int>]
  ) throws(End) -> [Range<Int>] {
    guard range.count > 1 else { return [range] }
    let halves = MatchWay.halves(range)
    var parts = range.count > MatchWay.block ? [] : MatchWay.bytes(range)
    if range.count > 2 { parts += halves }
    for part in parts {
      if try ends(others + [part]) { return try witnesses(in: part, beside: others) }
    }
    let first = try witnesses(in: halves[0], beside: others + [halves[1]])
    return try first + witnesses(in: halves[1], beside: others + first)
  }

  /// The bytes of an alternative, beside a byte of each other one.
  private mutating func match(beside others: [Range<Int>]) throws(End) -> [Range<Int>] {
    blocks = try positives(of: gaps(between: others), beside: others)
    // The longest first: when no probes are left, all of it is known equally well.
    while blocks.contains(where: { $0.count > MatchWay.block }) {
      try divide(intoBytes: false, beside: others)
    }
    try divide(intoBytes: true, beside: others)
    return MatchWay.merged(blocks)
  }

  /// Puts what is found in them in the place of long blocks, or in that of short ones.
  private mutating func divide(
    intoBytes: Bool, beside others: [Range<Int>]
  ) throws(End) {
    var done = 0
    while done < blocks.count {
      let block = blocks[done]
      var found = [block]
      if block.count > MatchWay.block {
        found = try positives(of: MatchWay.halves(block), beside: others)
      } else if intoBytes {
        found = try bytes(of: block, beside: others)
      }
      blocks.replaceSubrange(done...done, with: found)
      done += found.count
    }
  }

  /// Which bytes of a block are bytes of an alternative: one of them at least.
  private mutating func bytes(
    of block: Range<Int>, beside others: [Range<Int>]
  ) throws(End) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for byte in MatchWay.bytes(block) {
      if try ends(others + [byte]) { found.append(byte) }
    }
    guard !found.isEmpty else { throw .contradiction }
    return found
  }

  /// In which of some parts bytes of an alternative are: in one of them at least.
  private mutating func positives(
    of parts: [Range<Int>], beside others: [Range<Int>]
  ) throws(End) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, found.isEmpty { return [part] }
      if try ends(others + [part]) { found.append(part) }
    }
    return found
  }

  /// What lies between ranges that are in order.
  private func gaps(between ranges: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = 0
    for range in ranges + [count..<count] {
      if range.lowerBound > start { gaps.append(start..<range.lowerBound) }
      start = range.upperBound
    }
    return gaps
  }

  private static func halves(_ range: Range<Int>) -> [Range<Int>] {
    let middle = range.lowerBound + (range.count + 1) / 2
    return [range.lowerBound..<middle, middle..<range.upperBound]
  }

  private static func bytes(_ range: Range<Int>) -> [Range<Int>] { range.map { $0..<$0 + 1 } }

  /// Ranges that do not overlap, in order, and as one where they touch.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, last.upperBound >= range.lowerBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
