import Bluetooth
import LunaDocuments
import TerminalTable
import Testing

@testable import LunaTables

@Suite struct SummaryTableTests {
  private static let clock = ClockText(UTCZone())

  /// The table of what sent these data, each from an address of its own.
  private static func lines(_ data: [String], width: Int) -> [String] {
    var observer = AdvertiserObserver()
    for (index, text) in data.enumerated() {
      let report = AdvertisingReport(
        time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
        address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(index)), addressType: .random,
        payload: AdvertisingPayload(Hex.bytes(text) ?? []), rssi: -67)
      _ = observer.observe(report)
    }
    let rows = observer.advertisers.map { SummarySink.row($0) { clock.time($0) } }
    let table = ColumnTable(SummarySink.columns(clock), for: rows, width: width)
    return [table.head] + rows.map(table.line)
  }

  private static let luna = "0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593"
  private static let uid = "1516aafe00c5" + "00112233445566778899" + "010203040506"
  private static let named = "05094c756e61"
  private static let nordic = "06ff59000102aa"

  /// The words are those of the live table, in its order.
  @Test func saysWhatTheLiveTableSays() {
    let lines = Self.lines([Self.luna, Self.uid, Self.named, Self.nordic], width: 200)
    #expect(lines[0].hasPrefix("WHAT"))
    let words = lines[0].split(separator: " ").prefix(5)
    #expect(words.elementsEqual(["WHAT", "NAME", "ADDRESS", "RSSI", "PACKETS"]))
    #expect(lines[1].hasPrefix("LunaTracker "))
    #expect(lines[2].hasPrefix("Eddystone-UID "))
    #expect(lines[3].hasPrefix("- ") && lines[3].contains(" Luna "))
    #expect(lines[4].hasPrefix("Nordic Semiconductor"))
    // What the live table says below TYPE.
    for line in lines.dropFirst() { #expect(line.hasSuffix("  random static")) }
  }

  /// An AirTag is called so, near its owner or not, and what else is in Apple's network by what it is.
  @Test func saysWhatKindOfDeviceItIs() {
    let separated = "1eff4c00121910" + String(repeating: "21", count: 24)
    let lines = Self.lines([separated, "07ff4c0012021000", "07ff4c0012022000"], width: 200)
    #expect(lines[1].hasPrefix("AirTag "))
    #expect(lines[2].hasPrefix("AirTag "))
    #expect(lines[3].hasPrefix("Find My accessory "))
  }

  /// A time of day alone means nothing where a recording is of several days.
  @Test func severalDaysAreTold() {
    let evening = Timestamp(microseconds: 1_795_301_999_000_000)
    let midnight = Timestamp(microseconds: 1_795_305_600_000_000)
    let first = SummarySink.text(for: [evening, .unknown, evening], Self.clock)
    #expect(first(evening) == "22:59:59" && first(.unknown) == "-")
    let both = SummarySink.text(for: [evening, midnight], Self.clock)
    #expect(both(evening) == "2026-11-21 22:59:59" && both(midnight) == "2026-11-22 00:00:00")
  }

  /// What the terminal is, no line is broken, and what and where stay.
  @Test(arguments: [40, 60, 80])
  func fits(width: Int) {
    let lines = Self.lines([Self.luna, Self.uid, Self.named, Self.nordic], width: width)
    for line in lines { #expect(line.count <= width, "\(line)") }
    #expect(lines[0].contains("WHAT") && lines[0].contains("RSSI"))
    #expect(lines[1].contains("LunaTracker") && lines[1].contains("C0:FF:EE:00:00:01"))
  }
}
