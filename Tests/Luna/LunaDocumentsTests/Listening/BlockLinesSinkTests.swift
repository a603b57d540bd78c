import Bluetooth
import EventLoop
import Foundation
import Glibc
import LunaTesting
import Testing

@testable import LunaDocuments

@Suite struct BlockLinesSinkTests {
  static let captures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../captures").standardizedFileURL

  static let recordings: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: captures.path)) ?? []
    let endings = [".btsnoop", ".cfa", ".pcap", ".pcapng"]
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
  }()

  private static let summary = ListenSummary(heard: 7, shown: 6, dropped: [], duration: .seconds(1))

  /// What a sink writes behind a start line.
  private static func written(
    _ work: (OutputBuffer) throws -> Void
  ) throws -> [UInt8] {
    let folder = TestFolder()
    return try withExtendedLifetime(folder) {
      let file = folder.path + "/lines"
      let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let output = OutputBuffer(descriptor: descriptor)
      StartLine.append(source: "a recording", simulated: false, to: output)
      try work(output)
      return [UInt8](try Data(contentsOf: URL(filePath: file)))
    }
  }

  /// The plain way.
  private static func plain(_ output: OutputBuffer, _ fields: [FieldReference]?) -> JSONLinesSink {
    JSONLinesSink(
      output, adapterName: "hci7", selection: ReportSelection(), fields: fields,
      flushesEveryBatch: false, gate: ListeningGate(output, adapter: { nil }, isLive: false))
  }

  private static func feed(
    _ reports: [AdvertisingReport], to sink: any ReportSink, endsWell: Bool = true
  ) throws {
    var taken = 0
    for report in reports where try sink.take(report) { taken += 1 }
    #expect(taken == reports.count)
    try sink.endBatch()
    if endsWell { try sink.finish() }
    sink.summarize(summary)
  }

  @Test func thereAreRecordings() {
    #expect(BlockLinesSinkTests.recordings.count >= 10)
  }

  /// However many threads there are, it is what one writes.
  @Test(arguments: BlockLinesSinkTests.recordings, [1, 2, 4])
  func writesWhatOneThreadWrites(_ name: String, threads: Int) throws {
    let file = BlockLinesSinkTests.captures.appending(path: name)
    let reports = Decoded([UInt8](try Data(contentsOf: file))).reports
    let fields = threads == 4 ? [try FieldCatalog.advertisement.field("address")] : nil
    let expected = try BlockLinesSinkTests.written {
      try BlockLinesSinkTests.feed(reports, to: BlockLinesSinkTests.plain($0, fields))
    }
    let lines = try BlockLinesSinkTests.written { output in
      let sink = BlockLinesSink(
        output, adapterName: "hci7", fields: fields, threads: threads, blockCount: 16)
      try BlockLinesSinkTests.feed(reports, to: sink)
    }
    #expect(lines == expected)
  }

  /// What a thread has written lines to comes back to it, and is still in its processor's cache.
  @Test func aThreadWritesToItsOwnMemoryAgain() throws {
    let store = LineStore(isShared: true)
    let formatters = (0..<2).map { _ in
      BlockFormatter(adapterName: nil, fields: nil, store: store)
    }
    let block = ReportBlock(capacity: 1)
    block.reports = [Samples.luna]
    formatters[0].format(block)
    let first = try #require(block.result)
    #expect(first.formatter === formatters[0])
    #expect(first.text.buffer.lines.count == 1)
    first.formatter.takeBack(first.text)
    formatters[1].format(block)
    let second = try #require(block.result)
    #expect(second.formatter === formatters[1] && second.text !== first.text)
    formatters[0].format(block)
    #expect(block.result?.text === first.text)
  }

  /// A signal ends the run without a good end: what was taken is there.
  @Test func anInterruptedRunWritesWhatItTook() throws {
    let reports = (0..<1000).map { number in
      var report = Samples.luna
      report.rssi = Int8(-(number % 100))
      return report
    }
    let expected = try BlockLinesSinkTests.written { output in
      let sink = BlockLinesSinkTests.plain(output, nil)
      try BlockLinesSinkTests.feed(reports, to: sink, endsWell: false)
    }
    let lines = try BlockLinesSinkTests.written { output in
      let sink = BlockLinesSink(
        output, adapterName: "hci7", fields: nil, threads: 2, blockCount: 64)
      try BlockLinesSinkTests.feed(reports, to: sink, endsWell: false)
    }
    #expect(lines == expected)
    #expect(lines.count(where: { $0 == UInt8(ascii: "\n") }) == 1002)
  }

  /// The error comes to who gives the reports, before more blocks than the limit were taken; what is under way is
  /// given up, and nothing waits for it.
  @Test func aFullDiskIsAnErrorOfWhoGivesReports() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let sink = BlockLinesSink(
      OutputBuffer(descriptor: descriptor), adapterName: nil, fields: nil, threads: 2,
      blockCount: 10)
    var taken = 0
    let error = #expect(throws: OutputBuffer.WriteError.self) {
      for _ in 0..<1000 {
        _ = try sink.take(Samples.luna)
        taken += 1
      }
    }
    #expect(error?.code == ENOSPC)
    #expect(taken == 10 * 2 * BlockLinesSink.blocksPerThread - 1)
    sink.summarize(BlockLinesSinkTests.summary)
  }

  /// As long as nobody reads, no more is taken than the limit of blocks; afterwards nothing is missing.
  @Test func aReaderThatStallsHoldsUpTheSource() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (source, target) = (ends[0], ends[1])
    defer { close(source) }
    let line =
      try BlockLinesSinkTests.written { output in
        try BlockLinesSinkTests.feed([Samples.luna], to: BlockLinesSinkTests.plain(output, nil))
      }.split(separator: UInt8(ascii: "\n"))[1].count + 1
    let blockCount = 1000
    let limit = 2 * BlockLinesSink.blocksPerThread
    let total = 40 * blockCount
    // A block is more than a pipe holds.
    let pipeCount = 64 * 1024
    try #require(blockCount * line > pipeCount)
    let taken = Watched(0)
    Blocking.start {
      defer { close(target) }
      let sink = BlockLinesSink(
        OutputBuffer(descriptor: target), adapterName: nil, fields: nil, threads: 2,
        blockCount: blockCount)
      do {
        for _ in 0..<total {
          _ = try sink.take(Samples.luna)
          taken.withLock { $0 += 1 }
        }
        try sink.finish()
      } catch {
        Issue.record(error)
      }
    }
    // The next one would be the last of so many blocks, and waits until the first is written.
    try await taken.until { $0 >= limit * blockCount - 1 }
    var arrived = 0
    while true {
      let written = (arrived + pipeCount) / (blockCount * line)
      #expect(taken.value < (written + limit) * blockCount)
      let count = await Blocking.run { () -> Int in
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        return read(source, &chunk, chunk.count)
      }
      guard count > 0 else { break }
      arrived += count
    }
    #expect(arrived == total * line)
    #expect(taken.value == total)
  }
}
