/// Which page of the database is in each frame of a log, as the log itself says it, and what the index has
/// to say of that: SQLite looks in the index alone where a page is.
///
/// Formats: "WAL-Index File Format", https://www.sqlite.org/walformat.html.
struct LogPages: Sendable {
  /// A page number for each frame.
  private(set) var pages: [UInt32] = []
  /// How many frames end a transaction.
  private(set) var commits: UInt32 = 0
  /// The hash tables of all blocks, one behind the other.
  private var slots: [UInt16] = []

  /// Frames of a block of the index, and of the first one, in which the header takes some room.
  private static let frames = 4096, first = 4062
  /// Slots of the hash table of a block, and where it begins; where page numbers begin in the first block.
  private static let size = 8192, table = 16384, header = 136

  /// Takes the next frame.
  mutating func append(_ page: UInt32, isCommit: Bool) {
    if isCommit { commits += 1 }
    let frame = pages.count
    let block = frame < LogPages.first ? 0 : 1 + (frame - LogPages.first) / LogPages.frames
    let number = frame < LogPages.first ? frame : (frame - LogPages.first) % LogPages.frames
    pages.append(page)
    while slots.count <= block * LogPages.size {
      slots += [UInt16](repeating: 0, count: LogPages.size)
    }
    var slot = Int((page &* 383) & UInt32(LogPages.size - 1))
    while slots[block * LogPages.size + slot] != 0 { slot = (slot + 1) & (LogPages.size - 1) }
    slots[block * LogPages.size + slot] = UInt16(number + 1)
  }

  /// Whether an index says the same. What it says of further frames does not matter: they may be of a
  /// transaction that is under way.
  ///
  /// - Parameter block: 32 KiB of the index each; nil where there is none.
  func areAsIn(_ block: (Int) -> UnsafeRawPointer?) -> Bool {
    var done = 0
    for number in 0..<slots.count / LogPages.size {
      guard let block = block(number) else { return false }
      let count = min(pages.count - done, number == 0 ? LogPages.first : LogPages.frames)
      let start = block + (number == 0 ? LogPages.header : 0)
      for frame in 0..<count
      where start.loadUnaligned(fromByteOffset: frame * 4, as: UInt32.self) != pages[done + frame] {
        return false
      }
      for slot in 0..<LogPages.size {
        let value = block.loadUnaligned(
          fromByteOffset: LogPages.table + slot * 2, as: UInt16.self)
        let own = slots[number * LogPages.size + slot]
        if value != own, own != 0 || value <= count { return false }
      }
      done += count
    }
    return true
  }
}
