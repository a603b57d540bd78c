import Bluetooth
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import TerminalTable
import Testing

@testable import LunaTables

/// Where devices were last, as `luna owner list --where` shows it.
@Suite struct DevicePlacesTests {
  private static let start: Int64 = 1_795_255_200_000
  private let clock = ClockText(UTCZone())

  private func document(
    isHeard: Bool, name: String = "Keys", latitude: Double = 52.5, longitude: Double = 13.25
  ) throws -> DeviceDocument {
    let device = Device(
      uuid: try #require(DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F")),
      masterKey: MasterKey(bytes: InlineArray(repeating: 7)),
      onboardingTimestamp: Timestamp(microseconds: 0), name: name)
    let event = Event(
      record: try LocationRecord(
        ReportedLocation(
          collectedAt: Self.start, latitude: latitude, longitude: longitude, altitude: nil,
          horizontalAccuracy: 12.5, rssi: -60)),
      eid: EID(value: 0xABCD), heid: HEID(high: 1, low: 2), period: 5,
      status: .success(TrackerStatus(battery: .normal)),
      receivedAt: Timestamp(microseconds: (Self.start + 1000) * 1000), isPlausible: true)
    return DeviceDocument(device: device, newest: isHeard ? event : nil)
  }

  @Test func columnsTellThemToPeople() throws {
    let heads = DeviceDocument.heads(clock, showsPlaces: true).map(\.title)
    #expect(heads.suffix(4) == ["WHERE", "WHEN (UTC)", "ACCURACY", "NOTE"])
    let heard = try document(isHeard: true).cells(clock, showsPlaces: true)
    #expect(heard.suffix(4) == ["52.50000, 13.25000", "2026-11-21 10:00:00", "13 m", "-"])
    let unheard = try document(isHeard: false).cells(clock, showsPlaces: true)
    #expect(unheard.suffix(4) == ["-", "-", "-", "-"])
    #expect(heard.count == heads.count && unheard.count == heads.count)
    #expect(
      try document(isHeard: true).cells(clock).count == DeviceDocument.heads(clock).count)
  }

  /// What was asked for is there on a terminal of 80 columns.
  @Test func aNarrowTerminalShowsThem() throws {
    let heads = DeviceDocument.heads(clock, showsPlaces: true)
    let rows = [try document(isHeard: true).cells(clock, showsPlaces: true)]
    let table = ColumnTable(heads, for: rows, width: 80)
    #expect(table.head.count <= 80 && table.line(rows[0]).count <= 80)
    for text in ["Keys", "never", "52.50000, 13.25000", "2026-11-21 10:00:00"] {
      #expect(table.line(rows[0]).contains(text))
    }
  }

  /// At 40 columns no line is broken: what was asked for is all that is told, and the name is cut.
  @Test func theNarrowestTerminalShowsThemAlone() throws {
    func lines(_ device: DeviceDocument, width: Int) -> [String] {
      let heads = DeviceDocument.heads(clock, showsPlaces: true, width: width)
      let row = device.cells(clock, showsPlaces: true, width: width)
      let table = ColumnTable(heads, for: [row], width: width)
      return [table.head, table.line(row)]
    }
    let (heard, unheard) = (try document(isHeard: true), try document(isHeard: false))
    #expect(
      lines(heard, width: 40) == [
        "NAME  WHERE               WHEN (UTC)", "Keys  52.50000, 13.25000  11-21 10:00",
      ])
    #expect(lines(unheard, width: 40).last == "Keys  -      -")
    let far = try document(
      isHeard: true, name: "The keys of the shed", latitude: -52.5, longitude: -113.25)
    for width in 40..<100 {
      for line in lines(far, width: width) { #expect(line.count <= width, "\(width): \(line)") }
    }
    #expect(lines(far, width: 40).last?.hasSuffix("-52.50000, -113.25000  11-21 10:00") == true)
    #expect(lines(far, width: 80).last?.hasSuffix("2026-11-21 10:00:00") == true)
  }

  /// Who asks for no places has room for the uuid at 40 columns, whatever the name is.
  @Test func aListWithoutThemFitsToo() throws {
    var device = try document(isHeard: false, name: "The keys of the shed")
    device.sighting = Sighting(
      device: device.device.uuid, receivedAt: Timestamp(microseconds: Self.start * 1000),
      address: BluetoothAddress(value: 0xC0_FF_EE00_0001), rssi: -60, eid: [1, 2])
    let row = device.cells(clock)
    let table = ColumnTable(DeviceDocument.heads(clock), for: [row], width: 40)
    #expect(table.head.count <= 40 && table.line(row).count <= 40)
    #expect(table.line(row).hasSuffix("2026-11-21 10:00:00"))
  }

  @Test func linesAndRowsTellThemToPrograms() throws {
    let output = OutputBuffer()
    try document(isHeard: true).append("device", to: output)
    let line = String(decoding: output.take(), as: UTF8.self)
    #expect(
      line.contains(
        #""newest":{"time":"2026-11-21T10:00:00.000000Z","latitude":52.5,"#
          + #""longitude":13.25,"horizontalAccuracy":12.5,"#))
    #expect(line.contains(#""storedAt":"2026-11-21T10:00:01.000000Z"}"#))
    let (heard, unheard) = (try document(isHeard: true), try document(isHeard: false))
    CSVRows.append(["name"] + DeviceDocument.placeColumns, to: output) { lines in
      heard.append("device", to: lines)
      unheard.append("device", to: lines)
    }
    #expect(
      String(decoding: output.take(), as: UTF8.self)
        == """
        name,newest.time,newest.latitude,newest.longitude,newest.horizontalAccuracy
        Keys,2026-11-21T10:00:00.000000Z,52.5,13.25,12.5
        Keys,,,,

        """)
  }
}
