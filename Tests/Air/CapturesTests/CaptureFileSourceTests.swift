import Bluetooth
import Captures
import Diagnosis
import Dispatch
import Foundation
import Glibc
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct CaptureFileSourceTests {
  private static let capture = CaptureData(
    "horizon74_home-scan.btsnoop", packets: 2572, reports: 412)

  private func all(_ source: CaptureFileSource) async throws -> [AdvertisingReport] {
    try await source.start()
    var reports: [AdvertisingReport] = []
    while let batch = try await source.nextBatch() { reports += batch }
    return reports
  }

  @Test(arguments: ["no-such-file.btsnoop", "."])
  func saysWhyAFileCannotBeRead(_ path: String) async {
    let source = CaptureFileSource(path: path)
    await #expect(throws: SourceError.self) { try await source.start() }
    do throws(SourceError) {
      try await source.start()
    } catch {
      #expect(error.kind == .unreadable)
      #expect(error.reason.contains(path == "." ? "directory" : "no-such-file"))
    }
  }

  @Test func refusesOtherFilesAtTheStart() async throws {
    let source = CaptureFileSource(path: CaptureData.folder.appending(path: "SOURCES.md").path)
    do throws(SourceError) {
      try await source.start()
      Issue.record("a text was taken for a capture")
    } catch {
      #expect(error.kind == .unreadable)
      #expect(error.reason.contains("text") && error.reason.contains("SOURCES.md: "))
    }
  }

  @Test func tellsWhatItReads() async throws {
    let source = CaptureFileSource(path: Self.capture.path)
    try await source.start()
    #expect(source.description.name == Self.capture.path)
    #expect(source.description.simulated == false)
    #expect(source.description.explanation.contains("H4"))
    await source.stop()
    #expect(try await source.nextBatch() == nil)
  }

  @Test func readsAFIFOThatFillsSlowly() async throws {
    try await CaptureData.withScratchFile("fifo") { path in
      try #require(mkfifo(path, 0o600) == 0)
      let bytes = try Self.capture.bytes()
      let source = CaptureFileSource(path: path)
      async let reports = all(source)
      try await Self.fill(path, with: bytes)
      #expect(try await reports == Decoded(bytes).reports)
    }
  }

  /// Fills a FIFO, in pieces that end within records. On a thread that may wait: it takes no more than its reader
  /// has room for, who needs those of tasks, and these are few.
  private static func fill(_ path: String, with bytes: [UInt8]) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue(label: "fifo").async {
        continuation.resume(
          with: Result {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            for start in stride(from: 0, to: bytes.count, by: 10_001) {
              try file.write(contentsOf: Data(bytes[start..<min(start + 10_001, bytes.count)]))
              if start < 40_000 { usleep(5000) }
            }
            try file.close()
          })
      }
    }
  }

  @Test func stopsWhileItWaits() async throws {
    try await CaptureData.withScratchFile("fifo") { path in
      try #require(mkfifo(path, 0o600) == 0)
      let bytes = try Self.capture.bytes()
      // Opened for both, so that opening does not wait.
      let descriptor = open(path, O_RDWR)
      defer { close(descriptor) }
      #expect(write(descriptor, bytes, 50_000) == 50_000)
      let source = CaptureFileSource(path: path)
      try await source.start()
      let first = try await source.nextBatch()
      #expect(first?.isEmpty == false)
      let stopping = Task {
        try await Task.sleep(for: .milliseconds(50))
        await source.stop()
      }
      #expect(try await source.nextBatch() == nil)
      try await stopping.value
      await source.stop()
    }
  }

  @Test func stopsBeforeItStarts() async throws {
    let source = CaptureFileSource(path: Self.capture.path)
    await source.stop()
    try await source.start()
    #expect(try await source.nextBatch() == nil)
  }

  @Test func failsWhenNoRecordCanBeRead() async throws {
    try await CaptureData.withScratchFile("cut.btsnoop") { path in
      try Data(Self.capture.bytes()[..<30]).write(to: URL(filePath: path))
      let source = CaptureFileSource(path: path)
      try await source.start()
      await #expect(throws: SourceError.self) { try await source.nextBatch() }
    }
  }

  /// What was read before comes first.
  @Test(arguments: [0, 50_000])
  func saysThatTheFileWasCut(_ size: Int) async throws {
    try await CaptureData.withScratchFile("cut.btsnoop") { path in
      let bytes = try Self.capture.bytes()
      try Data(bytes).write(to: URL(filePath: path))
      let source = CaptureFileSource(path: path)
      try await source.start()
      #expect(truncate(path, size) == 0)
      var reports: [AdvertisingReport] = []
      do throws(SourceError) {
        while let batch = try await source.nextBatch() { reports += batch }
        Issue.record("a file that was cut was taken for a whole one")
      } catch {
        #expect(error.kind == .lost)
        #expect(error.reason.contains("was cut"))
      }
      let whole = Decoded(bytes).reports
      #expect(!reports.isEmpty && reports == [AdvertisingReport](whole.prefix(reports.count)))
    }
  }

  @Test func replaysAtThePaceOfTheRecording() async throws {
    try await CaptureData.withScratchFile("paced.btsnoop") { path in
      let writer = try await CaptureWriter(path: path)
      let times: [Int64] = [0, 0, 200_000, 100_000, 400_000]
      try await writer.write(
        times.map { time in
          var report = AdvertisingReport(
            time: Timestamp(microseconds: 1_767_323_045_000_000 + time), adapter: 0,
            address: BluetoothAddress(value: UInt64(time)), addressType: .public,
            payload: AdvertisingPayload([1, 2]), rssi: -1)
          report.setLegacyPDU(.advInd)
          return report
        })
      try await writer.finish()
      let source = CaptureFileSource(path: path, realtime: true, speed: 2)
      let began = ContinuousClock.now
      try await source.start()
      var batches: [[Int64]] = []
      while let batch = try await source.nextBatch() {
        batches.append(batch.map { Int64($0.address.value) })
        let elapsed = ContinuousClock.now - began
        // Never early.
        for time in batches.last ?? [] { #expect(elapsed >= .microseconds(time / 2)) }
      }
      #expect(batches.first == [0, 0])
      #expect(batches.flatMap { $0 } == times)
      #expect(ContinuousClock.now - began < .seconds(300))
    }
  }

  @Test func stopsDuringALongPause() async throws {
    try await CaptureData.withScratchFile("paced.btsnoop") { path in
      let writer = try await CaptureWriter(path: path)
      try await writer.write(
        [0, 3_600_000_000].map { time in
          AdvertisingReport(
            time: Timestamp(microseconds: time), adapter: 0, address: BluetoothAddress(value: 1),
            addressType: .public, payload: AdvertisingPayload(), rssi: nil)
        })
      let source = CaptureFileSource(path: path, realtime: true)
      try await source.start()
      #expect(try await source.nextBatch()?.count == 1)
      Task {
        try await Task.sleep(for: .milliseconds(50))
        await source.stop()
      }
      #expect(try await source.nextBatch() == nil)
    }
  }
}
