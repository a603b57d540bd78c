import Diagnosis
import Testing
import UplinkProtocol

@testable import LunaCLI

/// Which of several pairs of servers a localization takes.
struct UplinkLocatePairsTests {
  private struct Unrelated: Error {}

  private static let pairs = [["a", "b"], ["c", "d"], ["e", "f"]]

  @Test func takesTheFirstThatCanBeUsed() async throws {
    var (asked, refused): ([[String]], [String]) = ([], [])
    let chosen = try await UplinkLocateSession.first(of: Self.pairs) {
      (urls: [String]) throws -> [String] in
      asked.append(urls)
      if urls == ["a", "b"] { throw LocalizationError(.noFork) }
      return urls
    } refused: { urls, error in
      refused.append("\(urls.joined()): \(error.reason)")
    }
    #expect(chosen == ["c", "d"] && asked == [["a", "b"], ["c", "d"]])
    #expect(refused == ["ab: \(LocalizationError(.noFork).reason)"])
  }

  @Test func saysOfTheFirstWhyNoneCan() async {
    var refused = 0
    let error = await #expect(throws: LocalizationError.self) {
      try await UplinkLocateSession.first(of: Self.pairs) { (urls: [String]) throws -> [String] in
        if urls == ["a", "b"] { throw LocalizationError(.sameServer) }
        throw ReplayError(.connect)
      } refused: { _, _ in
        refused += 1
      }
    }
    #expect(error?.kind == .sameServer && refused == 3)
  }

  /// Of one pair it is the error alone; and what concerns all of them ends it.
  @Test func othersAreNotTriedInVain() async {
    var (asked, refused) = (0, 0)
    await #expect(throws: ReplayError.self) {
      try await UplinkLocateSession.first(of: [["a", "b"]]) { (_: [String]) throws -> [String] in
        throw ReplayError(.connect)
      } refused: { _, _ in
        refused += 1
      }
    }
    await #expect(throws: Unrelated.self) {
      try await UplinkLocateSession.first(of: Self.pairs) { (_: [String]) throws -> [String] in
        asked += 1
        throw Unrelated()
      } refused: { _, _ in
        refused += 1
      }
    }
    #expect(asked == 1 && refused == 0)
  }
}
