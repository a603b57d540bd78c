import Diagnosis
import Testing

@testable import UplinkProtocol

struct PathPairTests {
  private func path(_ hops: [String], to server: String) -> NetworkPath {
    NetworkPath(
      hops.map { $0 == "*" ? [] : Set($0.split(separator: "|").map(String.init)) }, to: server)
  }

  private func pair(
    _ first: [String], _ second: [String], isForced: Bool = false
  ) throws(LocalizationError) -> PathPair {
    try PathPair(path(first, to: "s1"), path(second, to: "s2"), isForced: isForced)
  }

  @Test func takesWaysThatPart() throws {
    #expect(try pair(["a", "b", "c"], ["a", "b", "d"]).shared == 2)
    #expect(try pair(["a", "b"], ["a"]).shared == 1)
    // Several ways to one place, and one that says nothing.
    #expect(try pair(["a|b", "*", "c"], ["b", "e", "d"]).shared == 2)
    #expect(try !pair(["a", "b"], ["a"]).isUnknown)
  }

  @Test func refusesOthers() {
    let cases: [([String], [String], LocalizationError.Kind)] = [
      (["a", "b"], ["a", "b"], .noFork), ([], [], .noFork), (["a", "b"], ["c", "d"], .noFork),
      (["a", "b", "e"], ["a", "c", "e"], .pathsMeetAgain),
      (["a", "b", "x", "e"], ["a", "c", "e|f"], .pathsMeetAgain),
      (["a", "*", "*"], ["a", "b", "c"], .pathUnknown), (["*"], ["*"], .pathUnknown),
      (["a", "*"], ["a", "b"], .pathUnknown),
    ]
    for (first, second, kind) in cases {
      let error = #expect(throws: LocalizationError.self) { try pair(first, second) }
      #expect(error?.kind == kind && error?.remedy != nil, "\(first), \(second)")
    }
  }

  @Test func refusesOneServer() {
    let error = #expect(throws: LocalizationError.self) {
      try PathPair(path(["a", "b"], to: "s1"), path(["a", "c"], to: "s1"), isForced: true)
    }
    #expect(error?.kind == .sameServer)
  }

  @Test func marksWhatIsForced() throws {
    #expect(try pair(["a", "*", "*"], ["a", "b", "c"], isForced: true).isUnknown)
    #expect(try pair(["*"], ["*"], isForced: true).isUnknown)
    #expect(try !pair(["a", "b"], ["a", "c"], isForced: true).isUnknown)
    let error = #expect(throws: LocalizationError.self) {
      try pair(["a", "b"], ["a", "b"], isForced: true)
    }
    #expect(error?.kind == .noFork)
  }
}
