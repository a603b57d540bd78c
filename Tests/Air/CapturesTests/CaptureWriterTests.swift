import Bluetooth
import Captures
import Diagnosis
import Foundation
import Glibc
import LunaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct CaptureWriterTests {
  private func reports(_ count: Int = 3) -> [AdvertisingReport] {
    (0..<count).map { number in
      var report = AdvertisingReport(
        time: Timestamp(microseconds: 1_767_323_045_000_000 + Int64(number)), adapter: 0,
        address: BluetoothAddress(value: UInt64(number)), addressType: .random,
        payload: AdvertisingPayload([2, 1, 6]), rssi: -60)
      report.setLegacyPDU(.advNonconnInd)
      return report
    }
  }

  private func read(_ path: String) throws -> Decoded {
    Decoded([UInt8](try Data(contentsOf: URL(filePath: path))))
  }

  @Test func oneRecordsIntoAFile() async throws {
    try await CaptureData.withScratchFile("a.btsnoop") { path in
      let writer = try await CaptureWriter(path: path)
      try await writer.write(reports())
      let error = await #expect(throws: SourceError.self) {
        _ = try await CaptureWriter(path: path, replacing: true)
      }
      #expect(error?.kind == .busy)
      try await writer.write(reports())
      #expect(try read(path).reports == reports() + reports())
      try await writer.finish()
      try await CaptureWriter(path: path, replacing: true).finish()
    }
  }

  @Test(arguments: ["a.btsnoop", "a.log", "a.cfa", "a.pcapng"])
  func isCompleteAfterEveryBatch(_ name: String) async throws {
    try await CaptureData.withScratchFile(name) { path in
      // An old file is written over.
      try Data(count: 100_000).write(to: URL(filePath: path))
      let writer = try await CaptureWriter(path: path, replacing: true)
      try await writer.write(reports())
      #expect(try read(path).reports == reports())
      try await writer.write(reports(5000))
      #expect(try read(path).reports == reports() + reports(5000))
      try await writer.write([])
      try await writer.finish()
      let file = try read(path)
      #expect(file.reports.count == 5003 && file.diagnostics.total == 0)
    }
  }

  @Test(arguments: CaptureData.all)
  func writesAgainWhatWasRecorded(_ data: CaptureData) async throws {
    for name in ["a.btsnoop", "a.pcapng"] {
      try await CaptureData.withScratchFile(name) { path in
        let recorded = Decoded(try data.bytes()).reports
        let writer = try await CaptureWriter(path: path)
        try await writer.write(recorded)
        try await writer.finish()
        let expected = recorded.map { report in
          // What HCI cannot say; see AdvertisingEventEncoder.
          var report = report
          report.adapter = report.adapter ?? 0
          if report.addressType == .absent { report.addressType = .anonymous }
          if report.isLegacy == false { report.isScanResponse = report.isScanResponse ?? false }
          return report
        }
        #expect(try read(path).reports == expected)
      }
    }
  }

  @Test(arguments: [("a.pcap", "pcapng"), ("a", ".btsnoop"), ("a.json", ".btsnoop")])
  func refusesOtherEndings(_ name: String, _ hint: String) async throws {
    try await CaptureData.withScratchFile(name) { path in
      do throws(SourceError) {
        _ = try await CaptureWriter(path: path)
        Issue.record("\(name) was taken")
      } catch {
        #expect(error.kind == .invalid)
        #expect(error.remedy?.description.contains(hint) == true)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func refusesPlacesThatDoNotExist() async {
    do throws(SourceError) {
      _ = try await CaptureWriter(path: "/no/such/place/a.btsnoop")
      Issue.record("a file was made in no folder")
    } catch {
      #expect(error.kind == .lost)
      #expect(error.reason.contains("/no/such/place/a.btsnoop"))
      #expect(error.remedy?.description.contains("make the directory") == true)
    }
  }

  @Test func overwritesOnlyWhereThatIsSaid() async throws {
    try await CaptureData.withScratchFile("a.btsnoop") { path in
      try "mine".write(toFile: path, atomically: true, encoding: .utf8)
      do throws(SourceError) {
        _ = try await CaptureWriter(path: path)
        Issue.record("a file was overwritten")
      } catch {
        #expect(error.kind == .invalid)
        #expect(error.remedy?.steps == [.replacing])
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
      let writer = try await CaptureWriter(path: path, replacing: true)
      try await writer.write(reports())
      try await writer.finish()
      #expect(try read(path).reports == reports())
    }
  }

  /// A writer in the place of one that nobody has finished, once that one has let go.
  private func successor(_ path: String) async throws -> CaptureWriter {
    while true {
      do throws(SourceError) {
        return try await CaptureWriter(path: path, replacing: true)
      } catch {
        guard error.kind == .busy else { throw error }
        await Task.yield()
      }
    }
  }

  /// The radio may not come up, or hear nothing.
  @Test func olderRecordingStaysUntilSomethingIsHeard() async throws {
    try await CaptureData.withScratchFile("a.btsnoop") { path in
      let first = try await CaptureWriter(path: path)
      #expect(try read(path).error == nil)
      try await first.write(reports())
      try await first.finish()
      for isFinished in [true, false] {
        let writer = try await successor(path)
        try await writer.write([])
        if isFinished { try await writer.finish() }
        #expect(try read(path).reports == reports())
      }
      let last = try await successor(path)
      try await last.write(reports(1))
      #expect(try read(path).reports == reports(1))
    }
  }

  @Test func doesNotTouchTheFileThatIsRead() async throws {
    try await CaptureData.withScratchFile("a.btsnoop") { path in
      let writer = try await CaptureWriter(path: path)
      try await writer.write(reports())
      try await writer.finish()
      // by another name
      let link = path + ".log"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      for name in [path, link] {
        do throws(SourceError) {
          _ = try await CaptureWriter(path: name, reading: path)
          Issue.record("\(name) was taken")
        } catch {
          #expect(error.kind == .invalid)
        }
      }
      #expect(try read(path).reports == reports())
    }
  }

  /// With a hole in the place of its header nobody could read the file.
  @Test(arguments: ["a.btsnoop", "a.pcapng"])
  func endsWhereSomebodyCutsTheFile(_ name: String) async throws {
    try await CaptureData.withScratchFile(name) { path in
      let writer = try await CaptureWriter(path: path)
      try await writer.write(reports())
      #expect(truncate(path, 0) == 0)
      do throws(SourceError) {
        try await writer.write(reports())
        Issue.record("a file without a header was written")
      } catch {
        #expect(error.kind == .lost)
        #expect(error.reason.contains("was cut"))
      }
      #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
    }
  }

  @Test func saysThatTheDiskIsFull() async throws {
    // /dev/full takes nothing; a link gives it an ending.
    let link = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID()).btsnoop").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
    defer { try? FileManager.default.removeItem(atPath: link) }
    do throws(SourceError) {
      let writer = try await CaptureWriter(path: link)
      try await writer.write(reports())
      Issue.record("a full disk went unseen")
    } catch {
      #expect(error.kind == .lost)
      #expect(error.reason.contains("No space left"))
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func leavesNoEmptyFileOnAFullDisk() async throws {
    let disk = try #require(SmallDisk())
    let path = disk.path
    try disk.fill()
    for rotation in [nil, CaptureRotation(.seconds(3600))] {
      await #expect(throws: SourceError.self) {
        let writer = try await CaptureWriter(path: path + "/air.btsnoop", rotation: rotation)
        try await writer.write(reports())
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["filler"])
    }
  }

  /// In a process of its own, since the limit is the process's.
  @Test func leavesWholeRecordsWhenTheDiskFillsUp() async throws {
    try await CaptureData.withScratchFile("a.btsnoop") { path in
      await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        do throws(SourceError) {
          let writer = try await CaptureWriter(path: path)
          for _ in 0..<10_000 { try await writer.write(CaptureWriterTests().reports()) }
          exit(2)
        } catch {
          exit(error.kind == .lost ? 7 : 3)
        }
      }
      let file = try read(path)
      #expect(file.reports.count > 100)
      #expect(file.diagnostics.total == 0 && file.error == nil)
    }
  }
}
