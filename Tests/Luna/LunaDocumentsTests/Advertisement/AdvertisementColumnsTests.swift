import Bluetooth
import Testing

@testable import LunaDocuments

@Suite struct AdvertisementColumnsTests {
  private func lines(_ reports: [AdvertisingReport], _ names: [String]) throws -> [String] {
    let fields = try names.map { try FieldCatalog.advertisement.field($0) }
    let buffer = OutputBuffer()
    let columns = AdvertisementColumns(buffer, fields: fields)
    for report in reports { _ = columns.append(report) }
    return buffer.lines
  }

  @Test func printsTheColumnsOfTheContract() throws {
    #expect(
      try lines([Samples.luna], AdvertisementColumns.defaultFields.map(\.text)) == [
        "time,adapter,address,addressType,pdu,rssi,name,beacon,data",
        "2026-01-02T03:04:05.678901Z,hci0,C0:FF:EE:00:00:01,random,ADV_IND,-67,,luna,"
          + "0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593",
      ])
  }

  @Test func quotesWhatNeedsIt() throws {
    var report = Samples.luna
    report.payload = AdvertisingPayload([0x07, 0x09] + Array("a,\"b\nc".utf8))
    #expect(try lines([report], ["name"]) == ["name", "\"a,\"\"b\\x0ac\""])
  }

  @Test func takesAFormulaForNoFormula() throws {
    var report = Samples.luna
    let name = Array("=1+\u{1B}\u{9B}".utf8)
    report.payload = AdvertisingPayload([UInt8(name.count + 1), 0x09] + name)
    #expect(
      try lines([report], ["name", "rssi"]) == ["name,rssi", "'=1+\\x1b\\x9b,-67"])
  }

  @Test func joinsSeveralValues() throws {
    var report = Samples.luna
    report.payload = AdvertisingPayload([0x05, 0x03, 0x04, 0x18, 0x0F, 0x18])
    #expect(try lines([report], ["services", "uri"]) == ["services,uri", "1804;180F,"])
  }

  @Test func showsChosenColumnsInTheirOrder() throws {
    #expect(
      try lines(
        [Samples.luna], ["rssi", "beacons", "manufacturerData.FFFF", "rssi", "serviceData.feaa"])
        == [
          "rssi,beacons,manufacturerData.ffff,rssi,serviceData.FEAA",
          "-67,luna,11fcb6e7b607bdc2304ae5c8013424402ba77593,-67,",
        ])
  }
}
