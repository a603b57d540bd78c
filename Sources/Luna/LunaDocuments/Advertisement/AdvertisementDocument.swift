package import Beacons
package import Bluetooth

/// The fields of an advertisement, in the order in which they are printed: the one place where
/// they are declared.
///
/// Time, RSSI and the rest are written apart, because time and RSSI are new in every advertisement
/// and the rest mostly is not (see `LineCache`).
package enum AdvertisementDocument {
  /// Knows the families, with the regions and companies of the protocol.
  package static let decoder = BeaconDecoder()

  /// The names of the usual adapters, made once.
  private static let adapterNames = (0..<16).map { "hci\($0)" }

  /// The fields at the top level, in the order of a JSON line; in a filter every other name means a
  /// field of a `beacons` entry. `company` is not in the line: it stands for the name of the company
  /// whose number begins the manufacturer data, or whose network a beacon belongs to, where a filter or a
  /// choice of fields asks for it.
  package static let fields: [(name: String, kind: FieldKind)] = [
    ("type", .word), ("time", .time), ("adapter", .text), ("address", .hex),
    ("addressType", .word), ("addressKind", .word), ("pdu", .word), ("connectable", .boolean),
    ("scannable", .boolean), ("scanResponse", .boolean), ("legacy", .boolean),
    ("primaryPhy", .word), ("secondaryPhy", .word), ("sid", .number),
    ("periodicInterval", .number), ("dataStatus", .word), ("directAddress", .hex),
    ("directAddressType", .word), ("rssi", .number), ("data", .hex), ("flags", .number),
    ("name", .text), ("appearance", .number), ("services", .hex), ("solicitedServices", .hex),
    ("serviceData", .map), ("manufacturerData", .map), ("company", .company), ("uri", .text),
    ("txPower", .number), ("malformed", .boolean), ("beacons", .word),
  ]

  /// The fields of the `beacons` entries: the family, and what the families declare.
  package static let itemFields: [(name: String, kind: FieldKind)] = {
    var fields: [(name: String, kind: FieldKind)] = [("beacon", .word)]
    for field in BeaconFamily.allCases.flatMap(\.fields)
    where !fields.contains(where: { $0.name == field.name }) {
      let kind: FieldKind =
        switch field.kind {
        case .text: FieldVocabulary(field.name) == nil ? .text : .word
        case .number: .number
        case .boolean: .boolean
        case .hex: .hex
        }
      fields.append((field.name, kind))
    }
    return fields
  }()

  /// What stands between time and RSSI: who sent what kind of PDU.
  package static func writeHead(
    _ report: AdvertisingReport, adapterName: String?, to writer: inout some FieldWriter
  ) {
    if let number = report.adapter {
      writer.string("adapter", number < 16 ? adapterNames[Int(number)] : "hci\(number)")
    } else if let adapterName {
      writer.string("adapter", adapterName)
    }
    if report.addressType.hasAddress { writer.address("address", report.address) }
    if let name = report.addressType.name { writer.string("addressType", name) }
    if report.addressType == .random, let kind = report.address.randomKind {
      writer.string("addressKind", kind.rawValue)
    }
    if let type = report.pduType { writer.string("pdu", type.name) }
    if let value = report.isConnectable { writer.boolean("connectable", value) }
    if let value = report.isScannable { writer.boolean("scannable", value) }
    if let value = report.isScanResponse { writer.boolean("scanResponse", value) }
    if let value = report.isLegacy { writer.boolean("legacy", value) }
    if let name = report.primaryPHY.name { writer.string("primaryPhy", name) }
    if report.pduType == .advExtInd { writeExtended(report, to: &writer) }
    if let direct = report.directAddress {
      writer.address("directAddress", direct)
      if let name = report.directAddressType.name { writer.string("directAddressType", name) }
    }
  }

  private static func writeExtended(
    _ report: AdvertisingReport, to writer: inout some FieldWriter
  ) {
    if let name = report.secondaryPHY.name { writer.string("secondaryPhy", name) }
    if let sid = report.sid { writer.integer("sid", Int64(sid)) }
    if report.periodicInterval != 0 {
      writer.decimal("periodicInterval", Int64(report.periodicInterval) * 125, digits: 2)
    }
    writer.string("dataStatus", report.dataStatus.rawValue)
  }

  /// What stands behind RSSI: the data, and what they say.
  ///
  /// - Returns: Whether a beacon or tracker family was recognised.
  @discardableResult
  package static func writeTail(
    _ report: AdvertisingReport, to writer: inout some FieldWriter
  ) -> Bool {
    report.payload.withBytes { bytes in
      writer.hex("data", bytes)
      return writeDecoded(report, bytes, to: &writer)
    }
  }

  /// The fields that follow from the data alone (but for a TX power that the report carries).
  package static func writeDecoded(
    _ report: AdvertisingReport, _ bytes: Span<UInt8>, to writer: inout some FieldWriter
  ) -> Bool {
    let summary = ADSummary(bytes)
    if let flags = summary.flags { writer.integer("flags", Int64(flags)) }
    if let name = summary.name(in: bytes) { writer.text("name", name) }
    if let appearance = summary.appearance { writer.integer("appearance", Int64(appearance)) }
    if summary.hasServices { writeUUIDs("services", ADSummary.serviceListWidth, bytes, &writer) }
    if summary.hasSolicitations {
      writeUUIDs("solicitedServices", ADSummary.solicitationListWidth, bytes, &writer)
    }
    if summary.hasServiceData { writeServiceData(bytes, &writer) }
    if summary.hasManufacturerData { writeManufacturerData(bytes, &writer) }
    if let uri = summary.uri(in: bytes) { writer.text("uri", uri) }
    if let power = summary.txPower ?? report.txPower { writer.integer("txPower", Int64(power)) }
    writer.boolean("malformed", summary.malformed)
    return writeBeacons(report, bytes, to: &writer)
  }

  private static func writeUUIDs(
    _ name: StaticString, _ widthOf: (UInt8) -> Int?, _ bytes: Span<UInt8>,
    _ writer: inout some FieldWriter
  ) {
    writer.beginList(name)
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      guard let width = widthOf(structure.type) else { continue }
      var offset = structure.offset
      while offset + width <= structure.range.upperBound,
        let uuid = BluetoothUUID(littleEndian: bytes, at: offset, width: width)
      {
        writer.element(uuid)
        offset += width
      }
    }
    writer.endList()
  }

  /// Of several entries for one UUID the first counts: keys of an object are unique, and `data` has
  /// them all.
  private static func writeServiceData(_ bytes: Span<UInt8>, _ writer: inout some FieldWriter) {
    writer.beginMap("serviceData")
    var seen: [BluetoothUUID] = []
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      guard let width = ADSummary.serviceDataWidth(structure.type), structure.count >= width,
        let uuid = BluetoothUUID(littleEndian: bytes, at: structure.offset, width: width),
        !seen.contains(uuid)
      else { continue }
      seen.append(uuid)
      writer.entry(uuid, bytes.extracting(structure.range.dropFirst(width)))
    }
    writer.endMap()
  }

  private static func writeManufacturerData(
    _ bytes: Span<UInt8>, _ writer: inout some FieldWriter
  ) {
    writer.beginMap("manufacturerData")
    var seen: [UInt16] = []
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      guard structure.type == ADSummary.manufacturerData, structure.count >= 2 else { continue }
      let company =
        UInt16(bytes[structure.offset]) | UInt16(bytes[structure.offset + 1]) << 8
      guard !seen.contains(company) else { continue }
      seen.append(company)
      writer.entry(company: company, bytes.extracting(structure.range.dropFirst(2)))
    }
    writer.endMap()
  }
}

extension AdvertisementDocument {
  /// All fields, for writers that do not keep lines.
  ///
  /// - Returns: Whether a beacon or tracker family was recognised.
  @discardableResult
  package static func writeAll(
    _ report: AdvertisingReport, adapterName: String?, timeText: inout TimeText,
    to writer: inout some FieldWriter
  ) -> Bool {
    writer.string("type", "advertisement" as StaticString)
    if report.time != .unknown { writer.string("time", timeText.string(report.time)) }
    writeHead(report, adapterName: adapterName, to: &writer)
    if let rssi = report.rssi { writer.integer("rssi", Int64(rssi)) }
    return writeTail(report, to: &writer)
  }
}

extension AdvertisementDocument {
  /// The entries of `beacons`, if there are any.
  ///
  /// - Returns: Whether there are.
  private static func writeBeacons<Writer: FieldWriter>(
    _ report: AdvertisingReport, _ bytes: Span<UInt8>, to writer: inout Writer
  ) -> Bool {
    var beacons: [Beacon] = []
    decoder.decode(
      bytes, address: report.address, addressType: report.addressType, into: &beacons)
    guard !beacons.isEmpty else { return false }
    writer.beginItems("beacons")
    for beacon in beacons {
      writer.beginItem()
      writer.string("beacon", beacon.family.rawValue)
      var fields = BeaconFields(inner: writer)
      beacon.write(to: &fields)
      writer = fields.inner
      writer.endItem()
      if let maker = beacon.maker { writer.maker(maker) }
    }
    writer.endItems()
    return true
  }
}
