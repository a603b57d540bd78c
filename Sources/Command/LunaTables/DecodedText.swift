package import Bluetooth
import LunaDocuments
import SafeText

/// What bytes of an advertisement mean, for people: a line for each structure, and one for each thing said.
package enum DecodedText {
  /// The lines.
  ///
  /// - Parameters:
  ///   - isWhole: whether the report has more than its data, as in an HCI event.
  ///   - width: How wide a line may be; nil where that does not matter.
  package static func lines(
    of report: AdvertisingReport, isWhole: Bool, width: Int? = nil
  ) -> [String] {
    var rows: [[String]] = []
    report.payload.withBytes { bytes in
      var reader = ADStructureReader()
      while let structure = reader.next(in: bytes) {
        let type = "0x" + Hex.lower([structure.type])
        let name = ADType(rawValue: structure.type).name
        let content = bytes.extracting(structure.range)
        rows.append([
          name.map { "\(type) \($0)" } ?? type, Hex.lower((0..<content.count).map { content[$0] }),
        ])
      }
      var writer = DetailWriter()
      if isWhole {
        AdvertisementDocument.writeHead(report, adapterName: nil, to: &writer)
        if let rssi = report.rssi { writer.add("rssi", "\(rssi) dBm") }
      }
      _ = AdvertisementDocument.writeDecoded(report, bytes, to: &writer)
      rows += writer.details.map { [$0.label, $0.value] }
    }
    // Nothing is cut: whoever decodes wants all of it.
    return PairLines.lines(rows, width: width)
  }
}
