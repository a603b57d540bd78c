import Bluetooth
import Foundation
import Glibc
import LunaCore
import LunaStore
import LunaTesting
import SQLite
import Testing

/// A queue whose files somebody takes away while it is in use.
@Suite(.timeLimit(.minutes(10)))
struct QueueLossTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private var file: String { place.state.path + "/queue.data" }

  private func queue(limit: Int = 1000) throws -> SQLiteEventQueue {
    try SQLiteEventQueue(in: place.state, fileName: "queue.data", limit: limit)
  }

  private func numbers(_ queue: any EventQueue) async throws -> [UInt64] {
    try await queue.next(1000).map { Samples.number($0.event) }
  }

  enum Harm: String, CaseIterable {
    case deleted, allDeleted, moved, replacedByGarbage, replacedByAnother, directoryDeleted
    case directoryMoved, logDeleted, logReplaced, indexDeleted

    func happens(to file: String) throws {
      let (manager, folder) = (FileManager.default, (file as NSString).deletingLastPathComponent)
      switch self {
      case .deleted: try manager.removeItem(atPath: file)
      case .allDeleted:
        for end in ["", "-wal", "-shm"] { try manager.removeItem(atPath: file + end) }
      case .moved: try manager.moveItem(atPath: file, toPath: file + ".elsewhere")
      case .replacedByGarbage:
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: file + ".copy"))
        #expect(rename(file + ".copy", file) == 0)
      case .replacedByAnother:
        try manager.copyItem(atPath: file, toPath: file + ".copy")
        #expect(rename(file + ".copy", file) == 0)
      case .directoryDeleted: try manager.removeItem(atPath: folder)
      case .directoryMoved: try manager.moveItem(atPath: folder, toPath: folder + ".elsewhere")
      case .logDeleted: try manager.removeItem(atPath: file + "-wal")
      case .logReplaced:
        try manager.copyItem(atPath: file + "-wal", toPath: file + ".copy")
        #expect(rename(file + ".copy", file + "-wal") == 0)
      case .indexDeleted: try manager.removeItem(atPath: file + "-shm")
      }
    }
  }

  private func renewals(_ notices: [QueueNotice]) -> [(lost: Int?, setAside: String?)] {
    notices.compactMap {
      if case .renewed(_, let lost, let setAside) = $0 { (lost, setAside) } else { nil }
    }
  }

  /// All that belongs to a queue lies beside the end of a link to it, also what takes its place.
  @Test func aLinkStays() async throws {
    let disk = place.path + "/disk"
    try FileManager.default.createDirectory(
      atPath: place.state.path, withIntermediateDirectories: true)
    // Whatever the mask of who runs this.
    #expect(mkdir(disk, 0o700) == 0 && chmod(disk, 0o755) == 0)
    #expect(symlink("../../disk/data", file) == 0)
    do {
      let queue = try queue()
      try await queue.append([Samples.event(1), Samples.event(2)], at: Samples.now)
      #expect(await queue.tend(at: Samples.now).isEmpty)
      #expect(unlink(disk + "/data") == 0)
      #expect(renewals(await queue.tend(at: Samples.now)).map(\.lost) == [0])
      await queue.close()
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == "../../disk/data")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.state.path).count == 1)
    #expect(try await numbers(queue()) == [1, 2])
    // The directory of the end is not this program's.
    #expect(try place.mode(disk) == 0o755)
  }

  /// The notice begins with it: "… was deleted or moved while it was in use: the queue has a new file".
  @Test func saysOnceWhatHappened() async throws {
    let queue = try queue()
    try await queue.append([Samples.event(1)], at: Samples.now)
    try Harm.deleted.happens(to: file)
    let reasons = await queue.tend(at: Samples.now).compactMap {
      if case .renewed(let reason, _, _) = $0 { reason } else { nil }
    }
    #expect(reasons == ["\(file) was deleted or moved while it was in use"])
  }

  @Test(arguments: Harm.allCases)
  func everythingGoesIntoANewFile(_ harm: Harm) async throws {
    do {
      let queue = try queue()
      try await queue.append((1...20).map(Samples.event), at: Samples.now)
      try await queue.append(Samples.confirmation("a"), at: Samples.now)
      let before = try await queue.next(3)
      try await queue.settle(
        UploadSettlement(stored: [before[0].id], refused: [before[1].id: "x"]))
      await queue.count(dropped: "crowd", by: 4, at: Samples.now)
      try harm.happens(to: file)
      // What was asked for before means the same events after.
      try await queue.append([Samples.event(21)], at: Samples.now)
      try await queue.settle(UploadSettlement(stored: [before[2].id]))
      let told = renewals(await queue.tend(at: Samples.now))
      #expect(told.count == 1)
      #expect(told.first?.lost == 0)
      if harm == .replacedByGarbage {
        let other = try #require(told.first?.setAside)
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("not a database".utf8))
      }
      #expect(renewals(await queue.tend(at: Samples.now)).isEmpty)
      #expect(try await numbers(queue) == Array(4...21))
    }
    // Another process finds it.
    let queue = try queue()
    #expect(try await numbers(queue) == Array(4...21))
    #expect(try await queue.nextConfirmation()?.confirmation.requestID == "a")
    let status = try await queue.status(at: Samples.now)
    #expect(status.setAside == ["x": 1])
    #expect(status.dropped == ["crowd": 4])
    #expect(try place.mode(file) == 0o600)
    // Numbers are not given again.
    #expect(try await queue.next(100).map(\.id) == Array(4...21))
  }

  /// A disk that could not be written to for a moment is no queue that cannot be read.
  @Test func aMomentOfTroubleLosesNothing() async throws {
    let queue = try queue()
    try await queue.append((1...20).map(Samples.event), at: Samples.now)
    // The log of the copy has no place, and neither has anything in the end.
    let obstacle = file + ".rescuing-wal"
    try FileManager.default.createDirectory(
      atPath: obstacle + "/in the way", withIntermediateDirectories: true)
    #expect(unlink(file) == 0)
    let notices = await queue.tend(at: Samples.now)
    #expect(notices.contains { if case .homeless = $0 { true } else { false } })
    #expect(renewals(notices).isEmpty)
    try FileManager.default.removeItem(atPath: obstacle)
    #expect(renewals(await queue.tend(at: Samples.now)).map(\.lost) == [0])
    #expect(try await numbers(queue) == Array(1...20))
    let names = try FileManager.default.contentsOfDirectory(atPath: place.state.path)
    #expect(!names.contains { $0.contains(".rescu") })
  }

  /// What a transaction has settled makes room for what it adds.
  @Test func whatIsSettledTooLateMakesRoomAllTheSame() async throws {
    let queue = try queue(limit: 10)
    try await queue.append((1...10).map(Samples.event), at: Samples.now)
    let ids = try await queue.next(4).map(\.id)
    try change("CREATE TRIGGER no BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'no'); END")
    let error = await storeError { try await queue.settle(UploadSettlement(stored: ids)) }
    #expect(error?.kind == .failed)
    try change("DROP TRIGGER no")
    try await queue.append((11...14).map(Samples.event), at: Samples.now)
    #expect(try await numbers(queue) == Array(5...14))
    #expect(try await queue.status(at: Samples.now).dropped.isEmpty)
  }

  private func change(_ sql: String) throws {
    try Database<DeviceStoreError>(path: file, patience: .seconds(10)).execute(sql)
  }

  /// Nobody has to write for it to be noticed.
  @Test func anIdleQueueNoticesItAsWell() async throws {
    let queue = try queue()
    try await queue.append([Samples.event(1)], at: Samples.now)
    try Harm.allDeleted.happens(to: file)
    #expect(renewals(await queue.tend(at: Samples.now)).count == 1)
    #expect(access(file, F_OK) == 0)
    #expect(
      try SQLiteEventQueue.status(
        in: place.state, fileName: "queue.data", at: Samples.now)?.waiting == 1)
  }

  @Test func whatCannotBeReadAnyMoreIsCounted() async throws {
    let queue = try await filled()
    let before = await queue.waiting
    #expect(truncate(file, 0) == 0)
    _ = try? await queue.append([Samples.event(1)], at: Samples.now)
    let told = renewals(await queue.tend(at: Samples.now))
    #expect(told.count == 1)
    let lost = try #require(told.first?.lost ?? nil)
    #expect(lost > 0)
    #expect(await queue.waiting + lost == before + 1)
    try await queue.append([Samples.event(2)], at: Samples.now)
    #expect(try await queue.status(at: Samples.now).dropped[DropReason.storage] ?? 0 >= lost)
  }

  /// Enough that most of it is in the file, and no more in the log.
  private func filled() async throws -> SQLiteEventQueue {
    let queue = try queue(limit: 100_000)
    for start in stride(from: UInt64(0), to: 20_000, by: 1000) {
      try await queue.append((start..<start + 1000).map(Samples.event), at: Samples.now)
    }
    return queue
  }

  /// Files that somebody cuts, or writes into, where they are.
  enum Damage: String, CaseIterable {
    case fileHalved, fileHeader, filePages, logEmptied, logHalved, logHeader, logMiddle

    func happens(to file: String) throws {
      let file = rawValue.hasPrefix("log") ? file + "-wal" : file
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      switch self {
      case .logEmptied: #expect(truncate(file, 0) == 0)
      case .fileHalved, .logHalved: #expect(truncate(file, size / 2) == 0)
      case .fileHeader, .logHeader: try overwrite(file, at: 0)
      case .filePages, .logMiddle: try overwrite(file, at: size / 2)
      }
      // The clock of files is too coarse for a test in a hurry.
      let later = timespec(tv_sec: time(nil) + 2, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, file, [later, later], 0) == 0)
    }

    private func overwrite(_ file: String, at place: Int) throws {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
      try handle.seek(toOffset: UInt64(place / 4096 * 4096))
      try handle.write(contentsOf: Data(repeating: 0xA5, count: 3 * 4096))
      try handle.close()
    }
  }

  /// What can be read goes on in a new file, and what cannot is counted: each event is the one or the other.
  @Test(arguments: Damage.allCases)
  func takesWhatCanBeRead(_ damage: Damage) async throws {
    var waiting = 0
    do {
      let queue = try await filled()
      let before = await queue.waiting
      try damage.happens(to: file)
      try await queue.append([Samples.event(99_999)], at: Samples.now)
      let told = renewals(await queue.tend(at: Samples.now))
      #expect(told.map(\.setAside) == [file + ".damaged-1"])
      waiting = await queue.waiting
      let lost = try #require(told.first?.lost ?? nil)
      #expect(waiting + lost == before + 1)
      #expect(try await queue.status(at: Samples.now).dropped[DropReason.storage] ?? 0 == lost)
      // Some pages are some events.
      if damage == .filePages { #expect((1...1000).contains(lost)) }
      try await queue.append([Samples.event(99_998)], at: Samples.now)
      #expect(renewals(await queue.tend(at: Samples.now)).isEmpty)
      await queue.close()
    }
    let queue = try queue(limit: 100_000)
    #expect(await queue.waiting == waiting + 1)
    let numbers = try await queue.next(100_000).map { Samples.number($0.event) }
    #expect(numbers.suffix(2) == [99_999, 99_998])
    #expect(Set(numbers).count == numbers.count)
    #expect(try place.mode(file) == 0o600)
  }

  /// The files as a process that is killed leaves them.
  ///
  /// - Parameter isCounted: with what was noted beside them.
  private func left(
    by running: SQLiteEventQueue, isCounted: Bool = false
  ) async throws -> StateDirectory {
    let folder = place.path + "/left"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for end in ["", "-wal", "-shm"] + (isCounted ? [".lock"] : []) {
      try FileManager.default.copyItem(atPath: file + end, toPath: folder + "/queue.data" + end)
    }
    await running.close()
    return StateDirectory(path: folder)
  }

  /// The same when nobody was there as it happened: after a process that was killed.
  @Test(arguments: Damage.allCases)
  func takesWhatTheLastRunLeft(_ damage: Damage) async throws {
    let state = try await left(by: try await filled())
    let file = state.path + "/queue.data"
    try damage.happens(to: file)
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 100_000)
    var told = renewals(await queue.tend(at: Samples.now))
    // What is wrong in the middle is found when it is read.
    let waiting = try await queue.next(100_000).count
    told += renewals(await queue.tend(at: Samples.now))
    // The log has the first pages of the file, too: then nothing is missing.
    if damage == .fileHeader, told.isEmpty {
      #expect(waiting == 20_000)
    } else {
      #expect(told.map(\.setAside) == [file + ".damaged-1"])
    }
    #expect(await queue.waiting == waiting)
    try await queue.append([Samples.event(99_999)], at: Samples.now)
    await queue.close()
    let next = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 100_000)
    #expect(try await next.next(100_000).count == waiting + 1)
    #expect(await next.tend(at: Samples.now).isEmpty)
  }

  /// What was noted beside the file says how much is missing in it.
  @Test(arguments: Damage.allCases)
  func countsWhatTheLastRunHad(_ damage: Damage) async throws {
    let state = try await left(by: try await filled(), isCounted: true)
    try damage.happens(to: state.path + "/queue.data")
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 100_000)
    var told = renewals(await queue.tend(at: Samples.now))
    let waiting = try await queue.next(100_000).count
    told += renewals(await queue.tend(at: Samples.now))
    let lost = try told.map { one in try #require(one.lost) }.reduce(0, +)
    #expect(waiting + lost == 20_000)
    // With the first time that the queue is told after it was found.
    let wanted = lost == 0 ? nil : LossCount(lost, since: Samples.now, last: Samples.now)
    #expect(try await queue.status(at: Samples.now).losses[DropReason.storage] == wanted)
    await queue.close()
  }

  /// A file that goes while nobody looks; what was sent before is not lost with it.
  @Test(arguments: [true, false])
  func aFileThatWasDeletedSinceIsCounted(_ isClosed: Bool) async throws {
    let running = try queue()
    try await running.append((1...20).map(Samples.event), at: Samples.now)
    try await running.settle(UploadSettlement(stored: try await running.next(5).map(\.id)))
    let state = try await isClosed ? place.state : left(by: running, isCounted: true)
    await running.close()
    for end in ["", "-wal", "-shm"] { unlink(state.path + "/queue.data" + end) }
    let after = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 1000)
    #expect(renewals(await after.tend(at: Samples.now)).map(\.lost) == [15])
    #expect(try await after.status(at: Samples.now).dropped == [DropReason.storage: 15])
    await after.close()
    // Once is enough.
    let next = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 1000)
    #expect(await next.tend(at: Samples.now).isEmpty)
  }

  /// The log is moved into the file by the one that uses the queue, not by who asks how it is.
  @Test func whoLooksLeavesTheLogAsItIs() async throws {
    let running = try queue()
    try await running.append((1...40).map(Samples.event), at: Samples.now)
    let state = try await left(by: running)
    let contents = {
      try ["", "-wal"].map { try Data(contentsOf: URL(filePath: state.path + "/queue.data" + $0)) }
    }
    let before = try contents()
    #expect(before.allSatisfy { !$0.isEmpty })
    for _ in 1...2 {
      let status = try SQLiteEventQueue.status(
        in: state, fileName: "queue.data", at: Samples.now)
      #expect(status?.waiting == 40)
    }
    #expect(try contents() == before)
  }

  /// Who asks how the queue is does not open what would lose its rest by that.
  @Test func whoLooksLeavesADamagedQueueAsItIs() async throws {
    let running = try queue()
    for number in 1...40 {
      try await running.append([Samples.event(UInt64(number))], at: Samples.now)
    }
    let state = try await left(by: running)
    let file = state.path + "/queue.data"
    try Damage.logHalved.happens(to: file)
    let contents = { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: file + $0)) } }
    let before = try contents()
    let error = await storeError {
      _ = try SQLiteEventQueue.status(in: state, fileName: "queue.data", at: Samples.now)
    }
    #expect(error?.kind == .damaged)
    #expect(try contents() == before)
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 1000)
    #expect(renewals(await queue.tend(at: Samples.now)).map(\.setAside) == [file + ".damaged-1"])
    #expect((1..<40).contains(await queue.waiting))
  }

  /// Of a file that was emptied SQLite would delete the log, which has what was in it.
  @Test func aFileThatWasEmptiedIsPutAsideWithItsLog() async throws {
    let running = try queue()
    try await running.append((1...20).map(Samples.event), at: Samples.now)
    let state = try await left(by: running)
    let file = state.path + "/queue.data"
    #expect(truncate(file, 0) == 0)
    let log = try Data(contentsOf: URL(filePath: file + "-wal"))
    let error = await storeError {
      _ = try SQLiteEventQueue.status(in: state, fileName: "queue.data", at: Samples.now)
    }
    #expect(error?.kind == .damaged)
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data", limit: 1000)
    let told = renewals(await queue.tend(at: Samples.now))
    #expect(told.map(\.setAside) == [file + ".damaged-1"])
    #expect(told.map(\.lost) == [nil])
    #expect(try Data(contentsOf: URL(filePath: file + ".damaged-1-wal")) == log)
  }

  /// A process that was killed while it took what can be read leaves nothing behind.
  @Test func whatWasBegunIsCleared() async throws {
    try await queue().close()
    let unfinished = ["", "-wal", "-shm", "-journal"].map { file + ".rescuing" + $0 }
    for path in unfinished {
      #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
    }
    let queue = try queue()
    #expect(unfinished.allSatisfy { access($0, F_OK) != 0 })
    await queue.close()
  }

  /// The log has everything that its index has.
  @Test func anIndexIsMadeAnew() async throws {
    let queue = try queue()
    try await queue.append((1...20).map(Samples.event), at: Samples.now)
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file + "-shm"))
    try handle.seek(toOffset: 136)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 30_000))
    try handle.close()
    try await queue.append([Samples.event(21)], at: Samples.now)
    let told = renewals(await queue.tend(at: Samples.now))
    #expect(told.map(\.lost) == [0])
    #expect(told.map(\.setAside) == [nil])
    #expect(try await numbers(queue) == Array(1...21))
  }

  /// Numbers that may have been given to events that cannot be read are not given again.
  @Test func numbersAreNotGivenAgain() async throws {
    let queue = try await filled()
    let last = try #require(try await queue.next(100_000).map(\.id).max())
    try Damage.fileHeader.happens(to: file)
    try await queue.append([Samples.event(1)], at: Samples.now)
    let id = try #require(try await queue.next(100_000).map(\.id).max())
    #expect(id > last)
  }

  @Test func aSecondFinderThatTookThePlaceKeepsIt() async throws {
    let first = try queue()
    try await first.append([Samples.event(1)], at: Samples.now)
    try Harm.directoryDeleted.happens(to: file)
    let second = try queue()
    try await second.append([Samples.event(2)], at: Samples.now)
    let error = await storeError { try await first.append([Samples.event(3)], at: Samples.now) }
    #expect(error?.kind == .busy)
    let notices = await first.tend(at: Samples.now)
    #expect(notices.contains { if case .homeless = $0 { true } else { false } })
    // Told once, not every second.
    #expect(await first.tend(at: Samples.now).isEmpty)
    #expect(try await numbers(second) == [2])
  }

  /// There is no room for the new file: what the old one holds is kept until there is.
  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func aFullDiskOnlyDelaysIt() async throws {
    let disk = try #require(SmallDisk())
    let state = StateDirectory(path: disk.path + "/luna")
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data")
    for start in stride(from: UInt64(0), to: 1000, by: 100) {
      try await queue.append((start..<start + 100).map(Samples.event), at: Samples.now)
    }
    try FileManager.default.removeItem(atPath: state.path + "/queue.data")
    try disk.fill()
    #expect(
      await queue.tend(at: Samples.now).contains {
        if case .homeless(let error) = $0 { error.kind == .full } else { false }
      })
    try disk.free()
    #expect(renewals(await queue.tend(at: Samples.now)).map(\.lost) == [0])
    #expect(try await queue.next(2000).count == 1000)
  }

  /// The same where nothing can be written for a while.
  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func aReadOnlyDirectoryOnlyDelaysIt() async throws {
    let disk = try #require(SmallDisk())
    let state = StateDirectory(path: disk.path + "/luna")
    let queue = try SQLiteEventQueue(in: state, fileName: "queue.data")
    try await queue.append([Samples.event(1)], at: Samples.now)
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: state.path + "/queue.data" + end)
    }
    try command("/bin/mount", "--bind", state.path, state.path)
    try command("/bin/mount", "-o", "remount,bind,ro", state.path)
    let notices = await queue.tend(at: Samples.now)
    let error = await storeError { try await queue.append([Samples.event(2)], at: Samples.now) }
    try command("/bin/umount", state.path)
    #expect(
      notices.contains {
        if case .homeless(let error) = $0 { error.kind == .denied } else { false }
      })
    #expect(error?.kind == .denied)
    #expect(renewals(await queue.tend(at: Samples.now)).map(\.lost) == [0])
    #expect(try await numbers(queue) == [1])
    #expect(try await queue.status(at: Samples.now).dropped == [DropReason.storage: 1])
  }

  private func command(_ words: String...) throws {
    #expect(try TestProgram.run(words).status == 0)
  }

  /// A doubtful event never takes the place of another.
  @Test(arguments: [true, false]) func aFloodPushesNothingOut(_ isOnDisk: Bool) async throws {
    let queue: any EventQueue = isOnDisk ? try queue(limit: 10) : InMemoryEventQueue(limit: 10)
    try await queue.append((1...6).map(Samples.event), at: Samples.now)
    for start in stride(from: UInt64(100), to: 200, by: 3) {
      try await queue.append(
        (start..<start + 3).map(Samples.event), at: Samples.now, isDoubtful: true)
    }
    #expect(try await numbers(queue) == [1, 2, 3, 4, 5, 6, 198, 199, 200, 201])
    try await queue.append((7...10).map(Samples.event), at: Samples.now)
    #expect(try await numbers(queue) == Array(1...10))
    try await queue.append([Samples.event(300)], at: Samples.now, isDoubtful: true)
    #expect(try await numbers(queue) == Array(1...10))
    try await queue.append([Samples.event(11)], at: Samples.now)
    #expect(try await numbers(queue) == Array(2...11))
    #expect(await queue.waiting == 10)
    let status = try await queue.status(at: Samples.now)
    #expect(status.dropped == [DropReason.queueFull: 104])
    let told = await queue.tend(at: Samples.now)
    #expect(told == [.full(104)])
    #expect(await queue.tend(at: Samples.now).isEmpty)
  }

  @Test func remembersWhenItWasLostAndTheFlood() async throws {
    let later = Timestamp(microseconds: Samples.now.microseconds + 5_000_000)
    let crowd = CrowdStatus(newPerMinute: 700, since: Samples.now, notedAt: later)
    do {
      let queue = try queue()
      await queue.count(dropped: "crowd", by: 1, at: Samples.now)
      await queue.count(dropped: "crowd", by: 2, at: later)
      await queue.note(crowd)
      let told = try SQLiteEventQueue.status(
        in: place.state, fileName: "queue.data", at: later)
      #expect(told?.crowd == crowd)
      _ = await queue.tend(at: later)
      #expect(
        try await queue.status(at: later).losses
          == ["crowd": LossCount(3, since: Samples.now, last: later)])
      await queue.note(nil)
      #expect(try await queue.status(at: later).crowd == nil)
      await queue.note(crowd)
    }
    // The next run has seen no flood yet.
    #expect(try await queue().status(at: later).crowd == nil)
  }
}
