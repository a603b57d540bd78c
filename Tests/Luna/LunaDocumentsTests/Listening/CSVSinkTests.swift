import Bluetooth
import Glibc
import Testing

@testable import LunaDocuments

@Suite struct CSVSinkTests {
  /// The rows of a recording are written in large pieces, and Ctrl-C comes between two of them.
  @Test func writesWhatWasTakenWhoeverEndsIt() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let sink = CSVSink(
      OutputBuffer(descriptor: fileno(file)), adapterName: nil, selection: ReportSelection(),
      fields: [try FieldCatalog.advertisement.field("address")], flushesEveryBatch: false)
    #expect(try sink.take(Samples.luna))
    try sink.endBatch()
    sink.summarize(ListenSummary(heard: 1, shown: 1, dropped: [], duration: .seconds(1)))
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = pread(fileno(file), &bytes, 100, 0)
    #expect(
      String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "address\nC0:FF:EE:00:00:01\n"
    )
  }
}
