/// Makes the lines of blocks. Each thread has its own, with the lines that it knows.
final class BlockFormatter: @unchecked Sendable {
  private let text = OutputBuffer()
  private let lines: AdvertisementLines

  init(adapterName: String?, fields: [FieldReference]?) {
    lines = AdvertisementLines(text, adapterName: adapterName, fields: fields)
  }

  /// Puts lines in the place of the reports.
  func format(_ block: ReportBlock) {
    for report in block.reports { _ = lines.append(report) }
    block.reports.removeAll(keepingCapacity: true)
    text.exchange(with: block.text)
  }
}
