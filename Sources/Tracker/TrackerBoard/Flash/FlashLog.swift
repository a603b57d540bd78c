import LunaCrypto
import LunaProtocol
package import TrackerMachine

/// The record of a tracker in two pages of flash, of which at any moment, also after a power cut, either the old one or
/// the new one is there.
///
/// Records follow each other in the places of a page; when it is full, the other page is erased and goes on. So a page is
/// erased once in as many writes as both pages have places, and never the one that has the newest record. Whatever
/// cannot be read, or does not read back as it was written, only costs its place.
package struct FlashLog<Pages: FlashPages> {
  /// The newest record; nil where there is none.
  package private(set) var record: TrackerRecord?
  /// How many records were written so far.
  package private(set) var sequence: UInt32 = 0
  /// Whether a place did not keep what was written.
  package private(set) var isWorn = false
  /// The flash.
  package private(set) var pages: Pages

  private let slots: Int
  /// The page that has the newest record, and must not be erased.
  private var home = 1
  private var page = 0
  /// The place that is written next.
  private var next = 0

  /// The fewest places of a page: no page is erased more often than once in twice as many writes.
  package static var minimumSlots: Int { 100 }

  /// Looks for the newest record.
  ///
  /// - Throws: ``FlashFailure``, of kind `small` or `newer`.
  package init(_ pages: Pages) throws(FlashFailure) {
    self.pages = pages
    slots = pages.pageSize / FlashSlot.byteCount
    guard slots >= FlashLog.minimumSlots else { throw .small }
    var newer: UInt32?
    // Behind the last place of each page that has anything in it.
    var ends = [0, 0]
    for page in 0..<2 {
      for slot in 0..<slots {
        var bytes = pages.read(
          page, at: slot * FlashSlot.byteCount, count: FlashSlot.byteCount)
        defer { wipe(&bytes) }
        switch FlashSlot.content(of: bytes.span) {
        case .blank: continue
        case .damaged: break
        case .newer(let number): newer = max(newer ?? 0, number)
        case .record(let found, let number):
          if record == nil || number > sequence {
            record = found
            sequence = number
            home = page
          }
        }
        ends[page] = slot + 1
      }
    }
    if let newer, record == nil || newer > sequence { throw .newer }
    page = record == nil ? 0 : home
    // Where nothing can be read, the page is begun anew.
    next = record == nil && ends[page] > 0 ? slots : ends[page]
    // A power cut may have come between a return to factory state and the end of the keys before it.
    if let record, record.ownership == nil, ends[1 - home] > 0 { self.pages.erase(1 - home) }
  }

  /// Writes a record; it is in flash when this returns. When it throws, the one before is.
  ///
  /// - Throws: ``FlashFailure`` of kind `write`.
  package mutating func store(_ record: TrackerRecord) throws(FlashFailure) {
    guard sequence < .max else { throw .write }
    var bytes = FlashSlot.encoded(record, sequence: sequence + 1)
    defer { wipe(&bytes) }
    let forgets = forgetsKeys(for: record)
    // Then the page of the old keys is erased, in which the record must not be.
    if forgets { next = slots }
    try write(bytes)
    home = page
    sequence += 1
    self.record = record
    if forgets { pages.erase(1 - home) }
  }

  private func forgetsKeys(for record: TrackerRecord) -> Bool {
    guard let key = self.record?.ownership?.masterKey else { return false }
    return record.ownership?.masterKey != key
  }

  private mutating func write(_ bytes: [UInt8]) throws(FlashFailure) {
    if append(bytes) { return }
    // In the page that does not have the newest record.
    page = 1 - home
    next = 0
    pages.erase(page)
    guard append(bytes) else { throw .write }
  }

  /// Writes into the next place of the page that takes it.
  private mutating func append(_ bytes: [UInt8]) -> Bool {
    while next < slots {
      let offset = next * FlashSlot.byteCount
      next += 1
      var before = pages.read(page, at: offset, count: FlashSlot.byteCount)
      defer { wipe(&before) }
      guard FlashSlot.isBlank(before.span) else { continue }
      pages.write(bytes, to: page, at: offset)
      var after = pages.read(page, at: offset, count: FlashSlot.byteCount)
      defer { wipe(&after) }
      if constantTimeEqual(after.span, bytes.span) { return true }
      isWorn = true
    }
    return false
  }
}
