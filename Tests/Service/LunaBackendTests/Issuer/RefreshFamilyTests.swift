import Testing

@testable import LunaBackend

/// The table of what may be refreshed, a line a test. Tokens are numbers.
@Suite("Families of tokens")
struct RefreshFamilyTests {
  private static func digest(_ number: UInt8) -> [UInt8] { .init(repeating: number, count: 32) }

  private var family = RefreshFamily(first: digest(1))

  /// Presents a token; a good one gets this successor.
  private mutating func present(_ token: UInt8, next: UInt8) -> RefreshFamily.Verdict {
    let verdict = family.verdict(on: Self.digest(token))
    if verdict != .reuse { family.note(Self.digest(next), after: verdict) }
    return verdict
  }

  /// An access token that came with the newest token is shown, which ``OwnIssuer`` keeps with the row.
  private mutating func showAccess() {
    family = RefreshFamily(
      generation: family.generation, current: family.current, previous: family.previous,
      isCurrentUsed: true)
  }

  @Test("One after the other")
  mutating func rotates() {
    for number: UInt8 in 1..<100 {
      #expect(present(number, next: number + 1) == .rotate)
      showAccess()
    }
  }

  @Test("A damaged row has a successor as well")
  func damaged() {
    var family = RefreshFamily(
      generation: .max, current: Self.digest(1), previous: nil, isCurrentUsed: false)
    family.note(Self.digest(2), after: .rotate)
    #expect(family.verdict(on: Self.digest(2)) == .rotate)
  }

  @Test("The first one has none before it")
  func first() { #expect(family.verdict(on: Self.digest(0)) == .reuse) }

  @Test("A lost answer is forgiven, several times")
  mutating func lost() {
    #expect(present(1, next: 2) == .rotate)
    #expect(present(1, next: 3) == .repeatRotation)
    #expect(present(1, next: 4) == .repeatRotation)
    #expect(present(4, next: 5) == .rotate)
  }

  @Test("The one before is used up once its successor was refreshed")
  mutating func successorRefreshed() {
    #expect(present(1, next: 2) == .rotate)
    #expect(present(2, next: 3) == .rotate)
    #expect(present(1, next: 9) == .reuse)
    // That of the successor is forgiven all the same.
    #expect(present(2, next: 4) == .repeatRotation)
  }

  @Test("The one before is used up once an access token of its successor was shown")
  mutating func accessUsed() {
    #expect(present(1, next: 2) == .rotate)
    showAccess()
    #expect(present(1, next: 3) == .reuse)
    #expect(present(2, next: 3) == .rotate)
  }

  @Test(
    "A successor that was replaced because nobody had it, and turns up: two have the one before")
  mutating func replaced() {
    #expect(present(1, next: 2) == .rotate)
    #expect(present(1, next: 3) == .repeatRotation)
    #expect(present(2, next: 4) == .reuse)
  }

  @Test("A thief who was first is found out by the owner, and the other way round")
  mutating func thief() {
    #expect(present(1, next: 2) == .rotate)
    showAccess()
    #expect(present(1, next: 3) == .reuse)
  }
}
