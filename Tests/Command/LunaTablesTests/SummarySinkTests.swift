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

  /// Ctrl-C ends a scan before it has finished, and its end is told once.
  @Test(arguments: [Listing.Form.table, .jsonl, .csv], [false, true])
  func printsWhatWasHeardWhoeverEndsIt(_ form: Listing.Form, _ isFinished: Bool) throws {
    let output = OutputBuffer()
    let sink = SummarySink(
      output, format: form, adapterName: nil, selection: ReportSelection(),
      clock: ClockText(UTCZone()))
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(), rssi: -67)
    #expect(try sink.take(report))
    if isFinished { try sink.finish() }
    sink.summarize(ListenSummary(heard: 1, shown: 1, dropped: [], duration: .seconds(1)))
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains("C0:FF:EE:00:00:01") } == 1, "\(lines)")
    #expect(lines.contains { $0.contains("\"type\":\"end\"") } == (form == .jsonl))
  }

  @Test func tellsOfTheRadioAndOfLosses() throws {
    let output = OutputBuffer()
    let sink = SummarySink(
      output, format: .jsonl, adapterName: nil, selection: ReportSelection(),
      clock: ClockText(UTCZone()),
      gate: ListeningGate(output, adapter: { "hci7" }, isLive: true))
    let tell = try #require(sink.listeningDisplay)
    tell(.listening)
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(), rssi: -67)
    #expect(try sink.take(report))
    tell(.dropped(reason: "kernel", count: 3))
    try sink.endBatch()
    try sink.finish()
    sink.summarize(ListenSummary(heard: 1, shown: 1, dropped: [], duration: .seconds(1)))
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first == #"{"type":"state","state":"listening","adapter":"hci7"}"#)
    #expect(lines.dropFirst().first == #"{"type":"dropped","reason":"kernel","count":3}"#)
    #expect(lines.last?.contains("\"type\":\"end\"") == true)
  }

  /// What bluetoothd tells says nothing of connections.
  @Test func leavesOutWhetherConnectionsAreTakenWhereNobodySaidIt() throws {
    let output = OutputBuffer()
    let sink = SummarySink(
      output, format: .jsonl, adapterName: nil, selection: ReportSelection(),
      clock: ClockText(UTCZone()))
    let types: [PDUType?] = [nil, .scanRsp, .advNonconnInd, .advInd]
    for (number, type) in types.enumerated() {
      var report = AdvertisingReport(
        time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
        address: BluetoothAddress(value: 0xC0FF_EE00_0000 + UInt64(number)), addressType: .random,
        payload: AdvertisingPayload(), rssi: -67)
      if let type { report.setLegacyPDU(type) }
      #expect(try sink.take(report))
    }
    try sink.finish()
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(!lines[0].contains("connectable") && !lines[1].contains("connectable"))
    #expect(lines[2].contains("\"connectable\":false"))
    #expect(lines[3].contains("\"connectable\":true"))
  }

  /// People read what the live table calls a family, programs its word.
  @Test(arguments: [Listing.Form.table, .jsonl, .csv])
  func namesFamiliesAsTheLiveTable(_ form: Listing.Form) throws {
    let output = OutputBuffer()
    let sink = SummarySink(
      output, format: form, adapterName: nil, selection: ReportSelection(),
      clock: ClockText(UTCZone()), by: .family)
    let data = "1eff4c00121910" + String(repeating: "21", count: 24)
    let report = AdvertisingReport(
      time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(Hex.bytes(data) ?? []), rssi: -67)
    #expect(try sink.take(report))
    try sink.finish()
    let text = String(decoding: output.take(), as: UTF8.self)
    #expect(text.contains("Apple Find My") == (form == .table), "\(text)")
    #expect(text.contains("apple-find-my") == (form != .table), "\(text)")
  }

  /// `tracker` is true for what `--trackers` keeps, beacons too, and for nothing else.
  @Test(arguments: [false, true])
  func meansOneThingByTrackers(keepsTrackersAlone: Bool) throws {
    let output = OutputBuffer()
    let sink = SummarySink(
      output, format: .jsonl, adapterName: nil,
      selection: ReportSelection(trackersOnly: keepsTrackersAlone), clock: ClockText(UTCZone()))
    let data = [
      "1eff4c00121910" + String(repeating: "21", count: 24),
      "1516aafe00c5" + "00112233445566778899" + "010203040506", "05094c756e61",
    ]
    let taken = try data.enumerated().map { index, text in
      try sink.take(
        AdvertisingReport(
          time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
          address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(index)), addressType: .random,
          payload: AdvertisingPayload(Hex.bytes(text) ?? []), rssi: -67))
    }
    #expect(taken == [true, true, !keepsTrackersAlone])
    try sink.finish()
    let lines = String(decoding: output.take(), as: UTF8.self).split(separator: "\n")
    let said = lines.map { ($0.contains("\"tracker\":true"), $0.contains("\"tracker\":false")) }
    let wanted = [(true, false), (true, false)] + (keepsTrackersAlone ? [] : [(false, true)])
    #expect(said.elementsEqual(wanted) { $0 == $1 }, "\(lines)")
  }

  private static func text(of file: Int32) -> String {
    let size = Int(lseek(file, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    let count = pread(file, &bytes, size, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
