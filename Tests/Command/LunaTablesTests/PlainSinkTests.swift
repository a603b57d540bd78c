import Bluetooth
import LunaDocuments
import Testing

@testable import LunaTables

/// What a terminal without a screen gets (`TERM=dumb`): a line for each advertisement.
@Suite struct PlainSinkTests {
  private static let airTag = "1eff4c00121910" + String(repeating: "21", count: 24)
  private static let named = "05094c756e61"
  /// Its name would clear the screen.
  private static let hostile = "05091b5b324a"

  private static func lines(_ data: [String], width: Int?) throws -> [String] {
    let output = OutputBuffer()
    let sink = PlainSink(
      output, adapterName: nil,
      selection: ReportSelection(minimumRSSI: nil, trackersOnly: false, filter: nil),
      width: width, clock: ClockText(UTCZone()))
    for (index, text) in data.enumerated() {
      let report = AdvertisingReport(
        time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
        address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(index)), addressType: .random,
        payload: AdvertisingPayload(Hex.bytes(text) ?? []), rssi: -67)
      #expect(try sink.take(report))
    }
    return String(decoding: output.take(), as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test func hasALineForEachAdvertisement() throws {
    let words = try Self.lines([Self.airTag, Self.named], width: nil).map {
      $0.split(separator: " ").map { String($0) }
    }
    #expect(
      words == [
        ["TIME", "(UTC)", "RSSI", "ADDRESS", "WHAT", "NAME"],
        ["10:00:00", "-67", "C0:FF:EE:00:00:01", "AirTag", "(separated)"],
        ["10:00:00", "-67", "C0:FF:EE:00:00:02", "Luna"],
      ])
  }

  @Test func saysWhatItIsWhereThereIsLittleRoom() throws {
    #expect(
      try Self.lines([Self.airTag, Self.named], width: 40) == [
        "RSSI  ADDRESS            WHAT", " -67  C0:FF:EE:00:00:01  AirTag (sepa...",
        " -67  C0:FF:EE:00:00:02  Luna",
      ])
  }

  @Test func fitsAndIsHarmless() throws {
    let lines = try Self.lines([Self.airTag, Self.hostile], width: 40)
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 40 && !$0.contains("\u{1B}") })
    #expect(try Self.lines([Self.hostile], width: nil)[1].hasSuffix("\\x1b[2J"))
  }
}
