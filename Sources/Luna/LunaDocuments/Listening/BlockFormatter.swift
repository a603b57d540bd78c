import Synchronization

/// Makes the lines of blocks. Each thread has its own; what it writes to is made by the thread, when it begins, so
/// that none of it lies beside what another thread writes to.
final class BlockFormatter: @unchecked Sendable {
  private let adapterName: String?
  private let fields: [FieldReference]?
  private let store: LineStore
  private lazy var text = OutputBuffer()
  private lazy var lines = AdvertisementLines(
    text, adapterName: adapterName, fields: fields, store: store)
  /// What the lines of blocks were in that are written.
  private let spares = Mutex<[BlockText]>([])

  /// - Parameter store: Keeps the lines that come again, for all formatters of a recording.
  init(adapterName: String?, fields: [FieldReference]?, store: LineStore) {
    self.adapterName = adapterName
    self.fields = fields
    self.store = store
  }

  /// Makes the lines of the reports.
  func format(_ block: ReportBlock) {
    // Lent, since each copy of a report counts references.
    let (lines, reports) = (lines, block.reports)
    let span = reports.span
    for index in span.indices { _ = lines.append(span[index]) }
    let done = spares.withLock { $0.popLast() } ?? BlockText()
    text.exchange(with: done.buffer)
    block.result = (done, self)
  }

  /// The lines were written.
  func takeBack(_ text: BlockText) { spares.withLock { $0.append(text) } }
}
