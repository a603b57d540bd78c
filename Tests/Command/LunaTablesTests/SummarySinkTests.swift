import Bluetooth
import Glibc
import LunaDocuments
import Testing

@testable import LunaTables

@Suite struct SummarySinkTests {
  /// Whoever reads a summary knows from the first batch on what it is of.
  @Test func doesNotKeepTheFirstLineToTheEnd() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let output = OutputBuffer(descriptor: fileno(file))
    output.append("first\n")
    let sink = SummarySink(
      output, format: .csv, adapterName: nil,
      selection: ReportSelection(minimumRSSI: nil, trackersOnly: false, filter: nil),
      clock: ClockText(UTCZone()))
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(), rssi: -67)
    #expect(try sink.take(report))
    try sink.endBatch()
    #expect(Self.text(of: fileno(file)).hasPrefix("first\naddress,"))
    #expect(!Self.text(of: fileno(file)).contains("C0:FF:EE:00:00:01"))
    try sink.finish()
    #expect(Self.text(of: fileno(file)).contains("\nC0:FF:EE:00:00:01,random,1,-67,"))
  }

  private static func text(of file: Int32) -> String {
    let size = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    let count = pread(file, &bytes, size, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
