import Glibc
import Synchronization

/// Looks whether anybody but SQLite has written into the files of a database, while they are where they
/// were. SQLite does not notice: it takes the sums in the log as read once it is open, so it would go on
/// in a log that nobody can read to its end after a restart, or copy what is wrong into the database.
///
/// Around each commit the length and the time of both files are compared, which costs six system calls.
/// After somebody else's commit, and now and then, the log is read through. One value serves all
/// connections of a process to a database; all of them may use it at the same time.
///
/// What it cannot see: a write of the same moment (4 ms, the grain of the kernel's clock) as one of ours,
/// or while one of ours is being written, until the log is read through the next time; and what was written
/// into the index of the log, until the next transaction.
public final class LogWatch: Sendable {
  /// How the database was, and how far the log had been moved into it a moment before.
  private struct Place {
    let stamp: FileStamp?
    let position: WriteAheadLog.Position
  }

  /// A part of the log that was read, and which pages are in it.
  private struct Known {
    let position: WriteAheadLog.Position
    let pages: LogPages
  }

  private struct State {
    var database: Place?
    var log: FileStamp?
    /// To where the log is known to be whole.
    var known: Known?
    /// What was wrong once stays so.
    var damage: String?
    /// Whether it is in the index alone.
    var isInIndex = false
    var readThrough: ContinuousClock.Instant?
    var cost: Duration = .zero
  }

  private let path: String
  private let log: WriteAheadLog
  private let state = Mutex(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The log is read through so often at most, and for so small a part of the time.
  private static let pause: Duration = .seconds(1)
  private static let part = 50
  /// How often it is looked at a log that changes while it is looked at.
  private static let looks = 9

  /// - Parameters:
  ///   - place: where the database is.
  ///   - now: the time.
  public init(
    _ place: DatabasePlace,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    path = place.path
    log = WriteAheadLog(path: place.path)
    self.now = now
  }

  /// Whether something was found to be wrong.
  var isDamaged: Bool { state.withLock { $0.damage != nil } }

  /// What the last process to use the database has left, before anybody opens it: SQLite makes a new index
  /// then, and leaves out without a word what comes after the first frame that it cannot read.
  ///
  /// - Returns: what is wrong, for a person. Nil also where nothing can be said: after a power cut the
  ///   index is an old one, or gone.
  public static func damageLeft(at place: DatabasePlace) -> String? {
    // SQLite would delete the log of such a file.
    if size(place.path) == 0, (size(place.path + "-wal") ?? 0) > 0 {
      return "\(place.path) was emptied"
    }
    let log = WriteAheadLog(path: place.path)
    var found: String?
    for _ in 0..<LogWatch.looks {
      guard let position = log.positionLeft(), position.moved < position.frames else { return nil }
      // An index of an older log is one that a power cut left.
      guard log.salts.map({ $0 == position.salts }) ?? true else { return nil }
      var pages = LogPages()
      found = log.damage(upTo: position, &pages)
      // Another process may be using it, and have begun the log anew meanwhile: that is no damage.
      if found == nil || log.positionLeft() == position { return found }
    }
    return found
  }

  private static func size(_ path: String) -> Int64? { FileStamp(path)?.size }

  /// Asks the index of the log, of the connection that looks.
  typealias Index = () -> WriteAheadLog.Position?

  /// Looks whether somebody wrote; to be called before something is read or written.
  ///
  /// - Returns: what is wrong, for a person; from then on always.
  func check(_ index: Index) -> String? {
    look(index) { known, now, position in
      if known.log == now, !isDue(known) { return known.known }
      return readThrough(position, index)
    }
  }

  /// Looks whether the index says of the log what is in it; to be called while nobody else writes, after
  /// ``check(_:)``.
  ///
  /// - Parameter block: 32 KiB of the index each; nil where there is none.
  /// - Returns: what is wrong, for a person; from then on always.
  func checkIndex(_ index: Index, _ block: (Int) -> UnsafeRawPointer?) -> String? {
    let (known, damage) = state.withLock { ($0.known, $0.damage) }
    guard damage == nil, let known, known.position.isSameLog(index()),
      !known.pages.areAsIn(block)
    else { return damage }
    state.withLock { $0.isInIndex = true }
    note("\(path)-shm was overwritten")
    return state.withLock { $0.damage }
  }

  /// Whether only the index is wrong: who opens the database first makes a new one.
  var isInIndex: Bool { state.withLock { $0.isInIndex } }

  /// Takes note of a commit of this process, after it has read what was written; to be called right after
  /// it, and ``check(_:)`` right before it, as what others write into the log in between is taken for a part
  /// of the commit.
  ///
  /// - Returns: what is wrong, for a person; from then on always.
  func committed(_ index: Index) -> String? {
    look(index) { known, now, position in
      if let old = known.known, position.isSameLog(old.position) {
        // Nothing was committed: this process has not written into the log.
        return known.log == now ? old : readThrough(position, index)
      }
      var pages = known.known?.pages ?? LogPages()
      guard let damage = log.damage(upTo: position, from: known.known?.position, &pages) else {
        return Known(position: position, pages: pages)
      }
      // A log that has begun anew meanwhile is no damage.
      if index()?.salts == position.salts { note(damage) }
      return nil
    }
  }

  /// - Parameter read: gets what is known, the time of the log, and what the index says; returns to where the
  ///   log is whole, or nil when nothing can be said.
  private func look(
    _ index: Index, _ read: (State, FileStamp?, WriteAheadLog.Position) -> Known?
  ) -> String? {
    let known = state.withLock { $0 }
    if let damage = known.damage { return damage }
    // In this order: a move that begins or ends between these lines is seen the next time as well.
    let before = index()
    let (database, now) = (FileStamp(path), FileStamp(path + "-wal"))
    // An index that says nothing, as while it is written, explains nothing: the next look is to see all of it.
    guard let position = index() else { return state.withLock { $0.damage } }
    let old = known.database.flatMap { $0.stamp == database ? nil : $0 }
    if let old, !Self.mayMove(old.position, position) {
      note("\(path) was written to by another program")
    } else if let read = read(known, now, position) {
      if let old, Self.isUnmoved(old.position, position, read) {
        note("\(path) was written to by another program")
        return state.withLock { $0.damage }
      }
      state.withLock { state in
        if let before { state.database = Place(stamp: database, position: before) }
        state.log = now
        state.known = read
      }
    }
    return state.withLock { $0.damage }
  }

  /// Reads the log through, whatever the times of the files say; to be called before it is moved into the
  /// database, which cannot be taken back.
  ///
  /// - Returns: what is wrong, for a person; from then on always.
  func readThrough(_ index: Index) -> String? {
    if !isDamaged { _ = readThrough(index(), index) }
    return state.withLock { $0.damage }
  }

  /// - Returns: to where the log is whole; nil when nothing can be said, or when it is damaged.
  private func readThrough(
    _ position: WriteAheadLog.Position?, _ index: Index
  ) -> Known? {
    var position = position
    let start = now()
    // What was committed stays as it is until the log begins anew: nobody has to be kept out.
    while let known = position {
      var pages = LogPages()
      let damage = log.damage(upTo: known, &pages)
      let next = index()
      if damage != nil, next?.salts != known.salts {
        position = next
        continue
      }
      if let damage {
        note(damage)
        return nil
      }
      let end = now()
      state.withLock { state in
        state.readThrough = end
        state.cost = end - start
      }
      return Known(position: known, pages: pages)
    }
    return nil
  }

  private func isDue(_ state: State) -> Bool {
    guard let last = state.readThrough else { return true }
    return now() - last >= max(LogWatch.pause, state.cost * LogWatch.part)
  }

  /// Whether the log was being moved into the database between two moments, as only the processes do to
  /// whom it belongs.
  private static func mayMove(
    _ old: WriteAheadLog.Position, _ new: WriteAheadLog.Position
  ) -> Bool {
    old.salts != new.salts || old.moved != new.moved || old.moving != new.moving
      || new.moved < new.moving
  }

  /// Whether nothing was moved between two moments although the log has begun anew, as one that is empty does with
  /// the first commit: all of it had been moved before, nothing of it since, and all that was committed
  /// meanwhile is in it, so that there was no other one.
  private static func isUnmoved(
    _ old: WriteAheadLog.Position, _ new: WriteAheadLog.Position, _ read: Known
  ) -> Bool {
    guard old.salts != new.salts, new.salts == read.position.salts else { return false }
    return old.moved == old.frames && new.moved == 0 && new.moving == 0
      && read.position.commits &- old.commits == read.pages.commits
  }

  private func note(_ damage: String) {
    state.withLock { if $0.damage == nil { $0.damage = damage } }
  }
}
