package import Bluetooth

/// What bytes mean, without a radio: a line of JSON.
package struct DecodedDocument {
  package let data: [UInt8]
  /// The random address that they came from; some families keep a part of their data there.
  package let address: BluetoothAddress?

  package init(data: [UInt8], address: BluetoothAddress?) {
    self.data = data
    self.address = address
  }

  package func append(to output: OutputBuffer) {
    var writer = JSONFieldWriter("decoded", in: output)
    write(to: &writer)
    writer.endLine()
  }

  /// The fields of advertising data.
  package func write(to writer: inout JSONFieldWriter) {
    DecodedDocument.write(report, to: &writer)
  }

  /// The data as a report would bring them.
  package var report: AdvertisingReport {
    AdvertisingReport(
      time: Timestamp(microseconds: 0), adapter: nil,
      address: address ?? BluetoothAddress(value: 0),
      addressType: address == nil ? .absent : .random, payload: AdvertisingPayload(data), rssi: nil)
  }

  /// The fields of what a report carries: the structures, and what they mean.
  package static func write(_ report: AdvertisingReport, to writer: inout JSONFieldWriter) {
    report.payload.withBytes { bytes in
      writer.hex("data", bytes)
      writer.beginItems("structures")
      var reader = ADStructureReader()
      while let structure = reader.next(in: bytes) {
        writer.beginItem()
        writer.integer("type", Int64(structure.type))
        if let name = ADType(rawValue: structure.type).name { writer.string("name", name) }
        writer.hex("data", bytes.extracting(structure.range))
        writer.endItem()
      }
      writer.endItems()
      _ = AdvertisementDocument.writeDecoded(report, bytes, to: &writer)
    }
  }

  /// The fields of an HCI event, with or without the indicator of H4: those of one report stand at the
  /// top level, those of several in `reports`.
  package static func write(event bytes: [UInt8], to writer: inout JSONFieldWriter) {
    let (reports, isTruncated) = reports(ofEvent: bytes)
    if reports.count == 1 {
      writeWhole(reports[0], to: &writer)
    } else {
      writer.hex("data", bytes.span)
      writer.beginItems("reports")
      for report in reports {
        writer.beginItem()
        writeWhole(report, to: &writer)
        writer.endItem()
      }
      writer.endItems()
    }
    if isTruncated { writer.boolean("truncatedEvent", true) }
  }

  /// The reports of an HCI event, and whether it says that there are more than it has.
  package static func reports(
    ofEvent bytes: [UInt8]
  ) -> (reports: [AdvertisingReport], isTruncated: Bool) {
    // The H4 indicator of an event, or whatever a tool put there instead, and the event code.
    let isIndicated =
      bytes.count > 1 && bytes[0] != HCIEventCode.leMeta && bytes[1] == HCIEventCode.leMeta
    let event = isIndicated ? Array(bytes.dropFirst()) : bytes
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    AdvertisingEventParser.parse(
      event: event.span, time: Timestamp(microseconds: 0), adapter: nil, into: &reports,
      counters: &counters)
    return (reports, counters.overrunEvents > 0)
  }

  private static func writeWhole(_ report: AdvertisingReport, to writer: inout JSONFieldWriter) {
    AdvertisementDocument.writeHead(report, adapterName: nil, to: &writer)
    if let rssi = report.rssi { writer.integer("rssi", Int64(rssi)) }
    write(report, to: &writer)
  }
}
