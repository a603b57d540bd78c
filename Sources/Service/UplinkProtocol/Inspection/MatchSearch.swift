/// The search for what a network recognises, as a machine (UPLINK.md, 10): it says which probe is next, and takes
/// whether that ended the treatment. All else follows from these answers: with them a search goes on where another one
/// was broken off.
package struct MatchSearch: Sendable {
  /// So many probes are made at most.
  package static let most = 200

  private let fields: [InspectedField]
  private let count: Int
  /// Whether each probe so far ended the treatment.
  package private(set) var answers: [Bool]
  /// Which probe is next; nil when nothing is left to be found out.
  package private(set) var next: Probe?
  /// What is known.
  package private(set) var finding: MatchFinding

  /// A search.
  ///
  /// - Parameters:
  ///   - fields: those that can be changed: they are first.
  ///   - count: how many bytes can be.
  ///   - answers: those of a search that was broken off.
  package init(_ fields: [InspectedField], bytes count: Int, answers: [Bool] = []) {
    self.fields = fields
    self.count = count
    self.answers = answers
    (next, finding) = MatchSearch.proceed(fields, count, answers)
  }

  /// Takes whether the probe that was next ended the treatment.
  package mutating func take(_ ended: Bool) {
    guard next != nil else { return }
    answers.append(ended)
    (next, finding) = MatchSearch.proceed(fields, count, answers)
  }

  /// Goes all the way again: that is quick, and a way in one piece can be read.
  private static func proceed(
    _ fields: [InspectedField], _ count: Int, _ answers: [Bool]
  ) -> (Probe?, MatchFinding) {
    var way = MatchWay(answers, bytes: count)
    do throws(MatchWay.End) {
      try way.search(fields)
      return (nil, way.finding(isContradictory: false))
    } catch {
      switch error {
      case .unanswered(let probe): return (probe, way.finding(isContradictory: false))
      case .contradiction: return (nil, way.finding(isContradictory: true))
      }
    }
  }
}
