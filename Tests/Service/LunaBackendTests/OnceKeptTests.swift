import Testing

@testable import LunaBackend

/// A transaction of whose end nothing was heard is looked up, and done again only where it was not kept.
@Suite(.timeLimit(.minutes(10))) struct OnceKeptTests {
  /// What becomes of the end of a transaction.
  private enum End {
    case kept
    case refused
    /// The connection is lost before the answer comes.
    case unheard(isKept: Bool)
  }

  /// A database, and a connection to it that gets lost.
  private final class Database {
    private(set) var transaction = OnceKept<Int?>()
    private var ends: [End]
    private var isAnswered = true
    /// How often it cannot be asked.
    var silences = 0
    /// The last number that was made.
    private(set) var made = 0
    /// What of these was kept.
    private(set) var kept: [Int] = []
    /// How often that was looked up.
    private(set) var questions = 0

    init(_ ends: [End]) { self.ends = ends }

    static let lost = StorageError(.unavailable, "the connection was lost")

    /// Does a transaction that makes a number; nil where it has failed.
    func attempt() -> Int? {
      do throws(StorageError) {
        return try transaction.attempt(
          wasKept: { () throws(StorageError) in
            questions += 1
            guard silences == 0 else {
              silences -= 1
              throw Database.lost
            }
            return kept.last == made
          },
          body: { () throws(StorageError) in
            made += 1
            return made
          }, commit: { () throws(StorageError) in try end() }, isAnswered: { isAnswered })
      } catch {
        return nil
      }
    }

    private func end() throws(StorageError) {
      switch ends.removeFirst() {
      case .kept:
        kept.append(made)
        return
      case .refused: isAnswered = true
      case .unheard(let isKept):
        isAnswered = false
        if isKept { kept.append(made) }
      }
      throw Database.lost
    }
  }

  @Test func whatWasKeptIsNotDoneAgain() {
    let database = Database([.unheard(isKept: true)])
    #expect(!database.transaction.isUnheard)
    #expect(database.attempt() == nil)
    #expect(database.transaction.isUnheard)
    // As long as it cannot be looked up, nothing is done.
    database.silences = 2
    #expect(database.attempt() == nil)
    #expect(database.attempt() == nil)
    #expect(database.transaction.isUnheard)
    #expect(database.attempt() == 1)
    #expect(database.kept == [1] && database.made == 1 && database.questions == 3)
  }

  @Test func whatWasNotKeptIsDoneAgain() {
    let database = Database([.unheard(isKept: false), .unheard(isKept: false), .kept])
    #expect(database.attempt() == nil)
    #expect(database.attempt() == nil)
    #expect(database.transaction.isUnheard)
    #expect(database.attempt() == 3)
    #expect(database.kept == [3] && database.questions == 2)
  }

  /// What is given is of the attempt that was kept, and not of the first one.
  @Test func theLastAttemptCounts() {
    let database = Database([.unheard(isKept: false), .unheard(isKept: true)])
    #expect(database.attempt() == nil)
    #expect(database.attempt() == nil)
    #expect(database.attempt() == 2)
    #expect(database.kept == [2] && database.made == 2)
  }

  /// Where the server itself says that it was not kept, there is nothing to look up.
  @Test func whatWasRefusedIsNotLookedUp() {
    let database = Database([.refused, .kept])
    #expect(database.attempt() == nil)
    #expect(!database.transaction.isUnheard)
    #expect(database.attempt() == 2)
    #expect(database.kept == [2] && database.questions == 0)
  }

  /// Nothing is an answer too.
  @Test func nothingIsKeptAsWell() throws {
    var transaction = OnceKept<Int?>()
    #expect(throws: StorageError.self) {
      try transaction.attempt(
        wasKept: { () throws(StorageError) in false }, body: { () throws(StorageError) in nil },
        commit: { () throws(StorageError) in throw Database.lost }, isAnswered: { false })
    }
    #expect(transaction.isUnheard)
    let found = try transaction.attempt(
      wasKept: { () throws(StorageError) in true }, body: { () throws(StorageError) in 1 },
      commit: { () throws(StorageError) in }, isAnswered: { true })
    #expect(found == nil)
  }
}
