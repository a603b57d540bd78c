import Testing

@testable import LunaHome

/// The last changes of a home, as who listens asks for them.
@Suite struct HomeJournalTests {
  @Test func goesOnFromAnyNumber() {
    var journal = HomeJournal(revision: 1_800_000_000_000_000)
    let first = journal.revision
    #expect(journal.changes(after: first)?.isEmpty == true)
    let made = (1...3).map { journal.add(.config, at: $0).revision }
    #expect(journal.changes(after: first)?.map(\.revision) == made)
    #expect(journal.changes(after: made[1])?.map(\.revision) == [made[2]])
    #expect(journal.changes(after: made[2])?.isEmpty == true)
    // What nobody was ever told, as the header of a stream may say it.
    for number in [Int64.min, Int64.min + 1, -1, 0, first - 1, made[2] + 1, Int64.max] {
      #expect(journal.changes(after: number) == nil)
    }
  }
}
