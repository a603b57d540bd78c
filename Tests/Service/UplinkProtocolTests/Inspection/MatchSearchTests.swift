import Testing

@testable import UplinkProtocol

struct MatchSearchTests {
  /// Makes the probes of a network that recognises what lies in all ranges of one of some lists.
  private func search(
    _ alternatives: [[Range<Int>]], in count: Int, from answers: [Bool] = []
  ) -> MatchSearch {
    var search = MatchSearch([], bytes: count, answers: answers)
    while case .bytes(let changed)? = search.next, search.answers.count < MatchSearch.most {
      search.take(ends(changed, alternatives))
    }
    return search
  }

  private func ends(_ changed: [Range<Int>], _ alternatives: [[Range<Int>]]) -> Bool {
    alternatives.allSatisfy { ranges in
      ranges.contains { range in changed.contains { $0.overlaps(range) } }
    }
  }

  @Test func findsWhatIsRecognised() {
    let cases: [(Int, [[Range<Int>]])] = [
      // A name, one byte, two separate spans, both of which have to be there, and either of two.
      (507, [[110..<122]]), (507, [[77..<78]]), (507, [[110..<122, 300..<304]]),
      (507, [[110..<122], [300..<310]]), (507, [[20..<24], [250..<262], [400..<409]]),
      // At the edges, all of it, and where halves meet.
      (507, [[0..<1]]), (507, [[506..<507]]), (12, [[0..<12]]), (507, [[250..<258]]),
      (1, [[0..<1]]), (3, [[1..<3]]), (4, [[2..<3], [3..<4]]), (8, [[0..<1], [1..<2]]),
      // Long recordings.
      (14_000, [[1_380..<1_412]]), (10 << 20, [[5_000_000..<5_000_030]]),
    ]
    for (count, alternatives) in cases {
      let search = search(alternatives, in: count)
      #expect(search.next == nil && !search.finding.isContradictory, "\(alternatives)")
      #expect(Set(search.finding.alternatives) == Set(alternatives), "\(alternatives)")
      #expect(search.finding.blocks.isEmpty && search.answers.count <= MatchSearch.most)
    }
  }

  @Test func nothingIsFoundByOneProbe() {
    let search = search([], in: 507, from: [false])
    #expect(search.next == nil && !search.finding.isAnything && !search.finding.isContradictory)
    #expect(MatchSearch([], bytes: 0).next == nil)
  }

  /// Whatever it is, at most 200 probes find it.
  @Test func findsWhatIsDrawnByLot() {
    var generator = SplitMix64(seed: 1)
    var most = 0
    for _ in 0..<500 {
      let count = Int.random(in: 20...600, using: &generator)
      var taken: Set<Int> = []
      var alternatives: [[Range<Int>]] = []
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        var ranges: [Range<Int>] = []
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
          let start = Int.random(in: 0..<count - 12, using: &generator)
          let range = start..<start + Int.random(in: 1...12, using: &generator)
          guard taken.isDisjoint(with: range.lowerBound - 1...range.upperBound) else { continue }
          taken.formUnion(range)
          ranges.append(range)
        }
        if !ranges.isEmpty { alternatives.append(ranges.sorted { $0.lowerBound < $1.lowerBound }) }
      }
      let search = search(alternatives, in: count)
      most = max(most, search.answers.count)
      #expect(Set(search.finding.alternatives) == Set(alternatives), "\(count) \(alternatives)")
      #expect(search.next == nil)
    }
    #expect(most <= MatchSearch.most)
  }

  @Test func fieldsAreFirst() {
    var search = MatchSearch([.sni, .alpn], bytes: 4)
    #expect(search.next == .field(.sni))
    search.take(true)
    #expect(search.next == .field(.alpn))
    search.take(false)
    #expect(search.finding.fields == [.sni: true, .alpn: false])
    #expect(search.next == .bytes([0..<4]))
    search.take(false)
    #expect(search.next == nil && search.finding.isAnything)
    #expect(search.finding.alternatives.isEmpty)
  }

  @Test func goesOnWhereItWas() {
    let alternatives = [[110..<122], [300..<310]]
    let whole = search(alternatives, in: 507)
    for count in [0, 1, 7, 40, whole.answers.count] {
      let again = search(alternatives, in: 507, from: Array(whole.answers.prefix(count)))
      #expect(again.answers == whole.answers && again.finding == whole.finding)
    }
  }

  /// What too many bytes are for so few probes is known roughly: all of it, and equally well.
  @Test func whatIsNotFoundIsKnownRoughly() {
    let search = search([[100..<500]], in: 507)
    let finding = search.finding
    #expect(search.next != nil && search.answers.count == MatchSearch.most)
    #expect(finding.alternatives.isEmpty && finding.isAnything)
    #expect(finding.blocks.count == 1)
    #expect(finding.blocks[0].lowerBound <= 100 && finding.blocks[0].lowerBound > 95)
    #expect(finding.blocks[0].upperBound >= 500 && finding.blocks[0].upperBound < 505)
  }

  /// The first byte is all that counts, and without it nothing is treated either.
  @Test func whatCannotBeIsSaid() {
    let answers = [true, true, true, false, false, false, false, true]
    let search = MatchSearch([], bytes: 8, answers: answers)
    #expect(search.next == nil && search.finding.isContradictory)
    #expect(search.finding.alternatives == [[0..<1]])
  }
}
