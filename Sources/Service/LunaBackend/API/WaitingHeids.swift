import Bluetooth
import LunaProtocol
import Synchronization

/// The identifiers for which some owner has left a command, as far as this process knows: of all others an upload need not
/// ask the database, where several processes share one (SCALE.md, 3.3). That is all it saves: what is offered, and to
/// whom, the lease decides. What is over may be in it for a while.
///
/// Commands that other processes took are read each second, by their numbers. Those are given before a command is
/// committed, so what came in the last minute is read again each time, and nothing is gone by before it was watched for
/// as long.
final class WaitingHeids: Sendable {
  /// For how long nothing that has a number is uncommitted.
  static let memory = Duration.seconds(60)
  /// How long it is added to, until it is made anew without what is over.
  static let life = Duration.seconds(3600)
  /// How long it is gone by when it cannot be read.
  static let patience = Duration.seconds(5)

  /// The number of the newest command at a moment.
  private struct Mark {
    let number: Int64
    let moment: ContinuousClock.Instant
  }

  private struct State {
    var filter = HeidFilter()
    /// Those of the last minute, and the newest one before.
    var marks: [Mark] = []
    /// When it was made and read last; nil before it is good for anything.
    var made: ContinuousClock.Instant?
    var read: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// Those of some identifiers for which a command may wait.
  func candidates(
    among heids: [HEID], at moment: ContinuousClock.Instant = .now
  ) -> [HEID] {
    state.withLock { state in
      guard let read = state.read, read + WaitingHeids.patience > moment, !state.filter.isFull
      else { return heids }
      return heids.filter { state.filter.contains($0) }
    }
  }

  /// This process has taken a command: it need not wait to hear of it.
  func note(_ heids: [HEID]) {
    state.withLock { state in
      guard state.made != nil else { return }
      for heid in heids { state.filter.insert(heid) }
    }
  }

  /// Reads what has come.
  func read(
    _ storage: any Storage, at time: Timestamp, _ moment: ContinuousClock.Instant
  ) async throws(StorageError) {
    let newest = try await storage.newestCommand()
    guard let (first, isAnew) = start(newest, moment) else { return }
    var fresh: HeidFilter? = isAnew ? HeidFilter() : nil
    var position = first
    while position < newest {
      let page = try await storage.waitingHeids(after: position, upTo: newest, at: time)
      guard let last = page.last else { break }
      position = last
      for heid in page.heids { fresh?.insert(heid) }
      if !isAnew { note(page.heids) }
    }
    let made = fresh
    state.withLock { state in
      if let made { (state.filter, state.made) = (made, moment) }
      state.read = moment
    }
  }

  /// After which command to read.
  ///
  /// - Returns: also whether that is for a filter that is made anew; nil where it was watched for too short a time.
  private func start(
    _ newest: Int64, _ moment: ContinuousClock.Instant
  ) -> (first: Int64, isAnew: Bool)? {
    state.withLock { state -> (first: Int64, isAnew: Bool)? in
      func isPast(_ mark: Mark) -> Bool { mark.moment + WaitingHeids.memory <= moment }
      // Numbers come again where a server has taken over that had not all of them.
      if newest < state.marks.last?.number ?? 0 { state = State() }
      state.marks.append(Mark(number: newest, moment: moment))
      while state.marks.count > 1, isPast(state.marks[1]) { state.marks.removeFirst() }
      guard let base = state.marks.first, isPast(base) else { return nil }
      guard let made = state.made, made + WaitingHeids.life > moment else { return (0, true) }
      return (base.number, false)
    }
  }
}
