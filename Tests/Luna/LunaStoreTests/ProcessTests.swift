import Diagnosis
import Foundation
import Glibc
import LunaCore
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

/// Several processes at once, processes that die, and disks that are full.
@Suite(.timeLimit(.minutes(10)))
struct ProcessTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func severalProcessesWorkAtOnce() async throws {
    let path = place.state.path
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, worker = worker as Int] in
            // The first one in makes the store, with all others at the door.
            let store = try SQLiteDeviceStore(
              in: StateDirectory(path: path), patience: .seconds(600))
            try await store.put(Samples.device(200))
            for number in 0..<40 {
              let device = Samples.device(UInt8(worker * 40 + number))
              try await store.put(device)
              _ = try await store.issueControlCounter(for: Samples.uuid(200), unixTime: 1)
              store.record([Samples.sighting(of: device.uuid, at: 1)])
            }
            try await store.flush()
          }
        }
      }
    }
    let store = try place.store()
    #expect(try await store.allDevices().count == 161)
    #expect(try await store.lastSightings().count == 160)
    #expect(try await store.issueControlCounter(for: Samples.uuid(200), unixTime: 1) == 161)
  }

  @Test func saysWhoKeepsItBusy() async throws {
    let store = try SQLiteDeviceStore(in: place.state, patience: .seconds(0))
    try await store.put(Samples.device(1))
    let handle = try TestProgram.holdingWriteLock(on: place.file)
    defer { handle.end() }
    let error = await storeError { try await store.put(Samples.device(2)) }
    #expect(error?.kind == .busy)
    #expect(error?.remedy?.description.contains("fuser") == true)
  }

  /// What was acknowledged before `kill -9` is there afterwards.
  @Test func survivesBeingKilled() async throws {
    let acknowledged = place.path + "/acknowledged"
    for round in 0..<5 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = place.state.path as String, acknowledged = acknowledged as String,
          round = round as Int
        ] in
        let log = open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let end = { @Sendable in
          usleep(UInt32(5_000 + round * 3_000))
          kill(getpid(), SIGKILL)
        }
        // The first one ends before anything is acknowledged, or not; the others have written something, however slow
        // this machine is, and end in the middle of whatever comes then.
        if round == 0 { Thread.detachNewThread { end() } }
        let store = try SQLiteDeviceStore(in: StateDirectory(path: path))
        for number in 0... {
          if round > 0, number == 5 * round { Thread.detachNewThread { end() } }
          let device = Samples.device(UInt8(truncatingIfNeeded: number), name: "\(round)/\(number)")
          try await store.put(device)
          let counter = try await store.issueControlCounter(for: device.uuid, unixTime: 1)
          let line = "\(device.uuid) \(number) \(counter)\n"
          _ = line.withCString { write(log, $0, strlen($0)) }
        }
      }
      guard let text = try? String(contentsOfFile: acknowledged, encoding: .utf8) else { continue }
      var counters: [String: UInt32] = [:]
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        #expect(UInt32(words[2]) == counters[words[0], default: 0] + 1 || round > 0)
        #expect((UInt32(words[2]) ?? 0) > counters[words[0], default: 0], "given twice: \(line)")
        counters[words[0]] = UInt32(words[2])
      }
      let stored = Set(try await place.store().allDevices().map(\.uuid.description))
      #expect(stored.isSuperset(of: counters.keys))
    }
    #expect(try await !place.store().allDevices().isEmpty)
  }

  /// A limit on file size is to a program what a full disk is.
  @Test func saysThatTheDiskIsFull() async throws {
    try await place.store().put(Samples.device(1))
    await #expect(processExitsWith: .success) { [path = place.state.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      try limitFileSize(to: 200_000)
      let store = try SQLiteDeviceStore(in: StateDirectory(path: path), logger: NoLogger())
      var acknowledged = 1
      let error = await storeError {
        for number in 2...UInt8(250) {
          try await store.put(Samples.device(number, name: String(repeating: "n", count: 2000)))
          acknowledged += 1
        }
      }
      store.record((0..<5000).map { Samples.sighting(of: Samples.uuid(1), at: $0) })
      let flushError = await storeError { try await store.flush() }
      let kept = try await store.allDevices().count
      // The test library writes files too.
      try limitFileSize(to: .max)
      #expect(error?.kind == .full, "\(String(describing: error))")
      #expect(error?.remedy?.description.contains("free some space") == true)
      #expect(kept == acknowledged)
      #expect(flushError?.kind == .full, "\(String(describing: flushError))")
      // Sightings have waited for better times.
      #expect(try await store.lastSightings().count == 1)
    }
    let store = try place.store()
    #expect(try await store.allDevices().count > 1)
    try await store.put(Samples.device(251))
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

private struct NoLogger: Logger {
  let level = LogLevel.ERROR
  func write(_ level: LogLevel, _ message: String) {}
}

extension TestProgram {
  /// Another process in the middle of a write.
  static func holdingWriteLock(on file: String) throws -> TestProgram {
    let program = try TestProgram(
      [
        "python3", "-c",
        """
        import sqlite3, sys, time
        c = sqlite3.connect(sys.argv[1], isolation_level=None)
        c.execute("begin immediate")
        print("held", flush=True)
        time.sleep(60)
        """, file,
      ], output: .pipe)
    _ = program.output?.availableData
    return program
  }
}
