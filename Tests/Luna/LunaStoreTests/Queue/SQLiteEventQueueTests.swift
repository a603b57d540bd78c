import Bluetooth
import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaStore
import LunaTesting
import Testing

/// What a queue on disk has to do besides: last.
@Suite(.timeLimit(.minutes(10)))
struct SQLiteEventQueueTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func queue(limit: Int = 1000) throws -> SQLiteEventQueue {
    try SQLiteEventQueue(in: place.state, fileName: "queue.data", limit: limit)
  }

  private func later(_ hours: Double) -> Timestamp {
    Timestamp(microseconds: Samples.now.microseconds + Int64(hours * 3_600_000_000))
  }

  @Test func keepsEverythingFromRunToRun() async throws {
    do {
      let queue = try queue()
      try await queue.append((1...3).map(Samples.event), at: Samples.now)
      try await queue.append(Samples.confirmation("a"), at: Samples.now)
      let first = try await queue.next(2)
      try await queue.settle(
        UploadSettlement(stored: [first[0].id], refused: [first[1].id: "x"]))
      await queue.count(dropped: "crowd", by: 4, at: Samples.now)
      _ = try await queue.status(at: Samples.now)
    }
    let queue = try queue()
    #expect(await queue.waiting == 1)
    #expect(try await queue.next(9).map { Samples.number($0.event) } == [3])
    #expect(try await queue.nextConfirmation()?.confirmation.requestID == "a")
    let status = try await queue.status(at: Samples.now)
    #expect(status.setAside == ["x": 1])
    #expect(status.dropped == ["crowd": 4])
    // Numbers are not given again.
    try await queue.append([Samples.event(4)], at: Samples.now)
    #expect(try await queue.next(9).map(\.id) == [3, 4])
  }

  @Test func onlyItsOwnerCanReadIt() async throws {
    let queue = try queue()
    try await queue.append([Samples.event(1)], at: Samples.now)
    #expect(try place.mode(place.state.path) == 0o700)
    #expect(try place.mode(queue.path) == 0o600)
    #expect(try place.mode(queue.path + "-wal") == 0o600)
  }

  /// A child that is forked and has not begun its program has all descriptors; a copy is as good as that.
  @Test func childThatIsBeingStartedKeepsNobodyOut() throws {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    do {
      let first = try queue()
      let own = "/proc/self/fd"
      for name in try FileManager.default.contentsOfDirectory(atPath: own) {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)")
        guard target == first.path + ".lock", let descriptor = Int32(name) else { continue }
        copies.append(dup(descriptor))
      }
      #expect(!copies.isEmpty)
    }
    _ = try queue()
  }

  @Test func oneFinderAtATime() async throws {
    let first = try queue()
    let error = await storeError { _ = try queue() }
    #expect(error?.kind == .busy)
    #expect(error?.remedy?.steps == [.otherDirectory])
    try await first.append([Samples.event(1)], at: Samples.now)
  }

  @Test func tellsOtherProcesses() async throws {
    func status() throws -> QueueStatus? {
      try SQLiteEventQueue.status(in: place.state, fileName: "queue.data", at: Samples.now)
    }
    #expect(try status() == nil)
    let queue = try queue(limit: 777)
    try await queue.append([Samples.event(1), Samples.event(2)], at: Samples.now)
    let told = try #require(try status())
    #expect(told.waiting == 2)
    #expect(told.limit == 777)
    #expect(told.oldest == Samples.now)
    #expect(told.eventsPerHour == 2)
    #expect(told.hoursLeft == 387.5)
  }

  @Test func knowsHowLongAnOutageMayLast() async throws {
    let queue = try queue(limit: 1000)
    #expect(try await queue.status(at: Samples.now).hoursLeft == nil)
    // Ten an hour for thirty hours.
    for hour in 0..<30 {
      try await queue.append(
        (0..<10).map { Samples.event(UInt64(hour * 10 + $0)) }, at: later(Double(hour)))
    }
    let status = try await queue.status(at: later(29.999))
    #expect(abs((status.eventsPerHour ?? 0) - 10) < 0.1)
    #expect(abs((status.hoursLeft ?? 0) - 70) < 1)
    // A quiet day later nothing is known any more.
    #expect(try await queue.status(at: later(60)).eventsPerHour == nil)
  }

  @Test func aClockThatJumpsDoesNotSpoilThat() async throws {
    let queue = try queue(limit: 1000)
    try await queue.append((0..<10).map { Samples.event($0) }, at: later(50_000))
    try await queue.append((10..<20).map { Samples.event($0) }, at: later(-50_000))
    try await queue.append((20..<30).map { Samples.event($0) }, at: later(0))
    let status = try await queue.status(at: later(0.5))
    #expect(status.waiting == 30)
    #expect(status.eventsPerHour == 10)
    #expect(try await queue.next(30).map { Samples.number($0.event) } == Array(0..<30))
  }

  /// Whoever still holds a queue that is closed keeps nobody out, and changes nothing.
  @Test func givesItsPlaceUpWhenItIsClosed() async throws {
    let first = try queue()
    try await first.append([Samples.event(1)], at: Samples.now)
    await first.count(dropped: "crowd", by: 3, at: Samples.now)
    await first.close()
    let second = try queue()
    #expect(await storeError { try await first.append([Samples.event(2)], at: Samples.now) } != nil)
    #expect(await first.tend(at: Samples.now).isEmpty)
    await first.close()
    try await second.append([Samples.event(3)], at: Samples.now)
    #expect(try await second.next(9).map { Samples.number($0.event) } == [1, 3])
    #expect(try await second.status(at: Samples.now).losses["crowd"]?.count == 3)
    withExtendedLifetime(first) {}
  }

  @Test func refusesTheFilesOfOthers() async throws {
    let name = SQLiteDeviceStore.defaultFileName
    try await place.store().put(Samples.device(1))
    let before = try place.contents()
    let error = await storeError {
      _ = try SQLiteEventQueue(in: place.state, fileName: name)
    }
    #expect(error != nil)
    #expect(try place.contents() == before)
  }

  /// A limit on file size is to a program what a full disk is.
  @Test func aFullDiskRefusesAndLosesNothing() async throws {
    await #expect(processExitsWith: .success) { [path = place.state.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let queue = try SQLiteEventQueue(
        in: StateDirectory(path: path), fileName: "queue.data", limit: 1_000_000)
      try limitFileSize(to: 300_000)
      var accepted: [UInt64] = []
      var refused = 0
      var number: UInt64 = 0
      while refused < 5 {
        let batch = (0..<20).map { _ -> TrackerEvent in
          number += 1
          return Samples.event(number)
        }
        do throws(DeviceStoreError) {
          try await queue.append(batch, at: Samples.now)
          accepted += batch.map(Samples.number)
        } catch {
          guard error.kind == .full else { throw error }
          refused += 1
        }
      }
      let count = refused * 20
      // What is taken away is gone, whatever the disk says, and is not sent twice.
      let sent = try await queue.next(100)
      try? await queue.settle(UploadSettlement(stored: sent.map(\.id)))
      let rest = try await queue.next(1_000_000).map { Samples.number($0.event) }
      let dropped = try await queue.status(at: Samples.now).dropped[DropReason.storage]
      try limitFileSize(to: .max)
      #expect(accepted.count > 100)
      #expect(sent.map { Samples.number($0.event) } + rest == accepted)
      #expect(dropped == count)
      // With room again it goes on.
      try await queue.append([Samples.event(9_999_999)], at: Samples.now)
      #expect(await queue.waiting == rest.count + 1)
      #expect(try await queue.status(at: Samples.now).dropped[DropReason.storage] == count)
    }
  }

  /// What was acknowledged before `kill -9` is in the queue or at the backend, and nothing is twice.
  @Test func survivesBeingKilled() async throws {
    let log = place.path + "/log"
    var random = Seeded.drawn()
    for round in 0..<12 {
      // Some end before they have a queue; most have done something, however slow this machine is.
      let steps = round % 4 == 0 ? 0 : Int.random(in: 3...30, using: &random)
      let delay = UInt32.random(in: 0...10_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = place.state.path as String, log = log as String, round = round as Int,
          steps = steps as Int, delay = delay as UInt32
        ] in
        try await QueueWorker(path: path, log: log, round: round, steps: steps, delay: delay)
          .workUntilKilled()
      }
    }
    let (acknowledged, uploaded) = try QueueWorker.read(log)
    let queue = try queue(limit: 1_000_000)
    let waiting = try await queue.next(1_000_000).map { Samples.number($0.event) }
    #expect(Set(waiting).count == waiting.count)
    // A kill between the upload and the note of it sends an event again; the backend has it once.
    #expect(acknowledged.isSubset(of: uploaded.union(waiting)), "lost")
    #expect(await queue.waiting == waiting.count)
    #expect(!acknowledged.isEmpty)
    #expect(!uploaded.isEmpty)
  }

  /// After a long outage the file is small again.
  @Test func givesRoomBack() async throws {
    func size() throws -> Int {
      let path = "\(place.state.path)/queue.data"
      return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
    do {
      let queue = try queue(limit: 100_000)
      try await queue.append((1...20_000).map(Samples.event), at: Samples.now)
    }
    #expect(try size() > 2_000_000)
    do {
      let queue = try queue(limit: 100_000)
      let ids = try await queue.next(20_000).map(\.id)
      #expect(ids.count == 20_000)
      try await queue.settle(UploadSettlement(stored: ids))
      for _ in 0..<20 { _ = await queue.tend(at: Samples.now) }
      try await queue.append([Samples.event(1)], at: Samples.now)
      #expect(await queue.waiting == 1)
    }
    #expect(try size() < 500_000)
  }
}

/// For the rest of a process's life, or until it is lifted.
private func limitFileSize(to count: UInt) throws {
  var limit = rlimit()
  let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  try #require(getrlimit(resource, &limit) == 0)
  limit.rlim_cur = min(count, limit.rlim_max)
  try #require(setrlimit(resource, &limit) == 0)
}
