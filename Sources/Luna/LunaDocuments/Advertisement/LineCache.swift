import Bluetooth
import Glibc

/// The printed form of advertisements that were printed before.
///
/// An advertiser repeats the same PDU hundreds of times; only time and RSSI differ. The text before
/// and behind the RSSI is kept under everything else in the report, so that a repeat costs a look-up
/// and two copies. A line is kept when its key comes the second time, so that payloads which are new
/// each time (telemetry, counters) do not push out the others. Memory is bounded: when the store is
/// full it starts anew.
struct LineCache: ~Copyable {
  /// A kept line: the text before RSSI and the text behind it.
  struct Line {
    let head: UnsafeBufferPointer<UInt8>
    let tail: UnsafeBufferPointer<UInt8>
    /// Whether a beacon or tracker family was recognised.
    let recognised: Bool
  }

  /// Everything of a report but its time and RSSI, in eight words.
  struct Key {
    var words: InlineArray<8, UInt64>

    /// Nil for reports that are not kept: those with more data than a legacy PDU can hold.
    @inline(__always)
    init?(_ report: AdvertisingReport) {
      guard let payload = report.payload.words else { return nil }
      func bits(_ value: Bool?) -> UInt64 { value == nil ? 2 : value == true ? 1 : 0 }
      let flags =
        bits(report.isConnectable) | bits(report.isScannable) << 2
        | bits(report.isScanResponse) << 4 | bits(report.isLegacy) << 6
      let pdu = UInt64(report.pduType?.rawValue ?? 0xFF)
      let status: UInt64 = report.dataStatus == .complete ? 0 : 1
      words = [
        report.address.value | UInt64(report.addressType.rawValue) << 48 | pdu << 56,
        flags | status << 8 | UInt64(report.payload.count) << 16
          | UInt64(report.primaryPHY.rawValue) << 24 | UInt64(report.secondaryPHY.rawValue) << 32
          | UInt64(report.sid ?? 0xFF) << 40 | UInt64(report.periodicInterval) << 48,
        (report.adapter.map { UInt64($0) | 1 << 16 } ?? 0)
          | (report.txPower.map { UInt64(UInt8(bitPattern: $0)) | 1 << 8 } ?? 0) << 24
          | UInt64(report.directAddressType.rawValue) << 40,
        report.directAddress.map { $0.value | 1 << 48 } ?? 0,
        payload[0], payload[1], payload[2], payload[3],
      ]
    }

    @inline(__always)
    var hash: UInt64 {
      var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
      for index in 0..<8 {
        hash = (hash ^ words[index]) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
      }
      return hash
    }
  }

  private struct Slot {
    var key: InlineArray<8, UInt64>
    var offset: UInt32
    var headCount: UInt16
    /// 0 in an empty slot: a tail is never empty.
    var tailCount: UInt16
    var recognised: Bool
  }

  private static let slotCount = 1 << 14
  private static let textCapacity = 4 << 20
  private static let seenCount = 1 << 15

  private let slots: UnsafeMutablePointer<Slot>
  private let text: UnsafeMutablePointer<UInt8>
  /// What was asked for and not found, as 16 bits of its hash at the place of 15 others.
  private let seen: UnsafeMutablePointer<UInt16>
  private var used = 0
  private var textCount = 0

  init() {
    slots = .allocate(capacity: LineCache.slotCount)
    text = .allocate(capacity: LineCache.textCapacity)
    seen = .allocate(capacity: LineCache.seenCount)
    seen.initialize(repeating: 0, count: LineCache.seenCount)
    clear()
  }

  deinit {
    slots.deallocate()
    text.deallocate()
    seen.deallocate()
  }

  private mutating func clear() {
    let empty = Slot(
      key: InlineArray(repeating: 0), offset: 0, headCount: 0, tailCount: 0, recognised: false)
    slots.initialize(repeating: empty, count: LineCache.slotCount)
    used = 0
    textCount = 0
  }

  @inline(__always)
  private func slot(for key: borrowing Key) -> Int {
    var index = Int(truncatingIfNeeded: key.hash) & (LineCache.slotCount - 1)
    while slots[index].tailCount != 0, !LineCache.equal(slots[index].key, key.words) {
      index = (index + 1) & (LineCache.slotCount - 1)
    }
    return index
  }

  @inline(__always)
  private static func equal(_ a: InlineArray<8, UInt64>, _ b: InlineArray<8, UInt64>) -> Bool {
    var difference: UInt64 = 0
    for index in 0..<8 { difference |= a[index] ^ b[index] }
    return difference == 0
  }

  /// The line kept under `key`. Valid until the next `insert`.
  @inline(__always)
  func find(_ key: borrowing Key) -> Line? {
    let slot = slots + slot(for: key)
    guard slot.pointee.tailCount != 0 else { return nil }
    let head = text + Int(slot.pointee.offset)
    let headCount = Int(slot.pointee.headCount)
    return Line(
      head: UnsafeBufferPointer(start: head, count: headCount),
      tail: UnsafeBufferPointer(start: head + headCount, count: Int(slot.pointee.tailCount)),
      recognised: slot.pointee.recognised)
  }

  /// Whether the line of `key`, which is not there, is worth keeping: it was asked for before.
  mutating func isWorthKeeping(_ key: borrowing Key) -> Bool {
    let hash = key.hash
    let place = seen + Int(truncatingIfNeeded: hash >> 16) & (LineCache.seenCount - 1)
    let mark = UInt16(truncatingIfNeeded: hash >> 48) | 1
    if place.pointee == mark { return true }
    place.pointee = mark
    return false
  }

  /// Keeps a line under `key`, which is not there yet.
  mutating func insert(_ key: borrowing Key, _ line: Line) {
    let count = line.head.count + line.tail.count
    guard line.head.count <= UInt16.max, line.tail.count <= UInt16.max, !line.tail.isEmpty
    else { return }
    if used >= LineCache.slotCount * 3 / 4 || textCount + count > LineCache.textCapacity {
      clear()
    }
    let index = slot(for: key)
    for part in [line.head, line.tail] {
      guard let start = part.baseAddress else { continue }
      memcpy(text + textCount, start, part.count)
      textCount += part.count
    }
    slots[index] = Slot(
      key: key.words, offset: UInt32(textCount - count), headCount: UInt16(line.head.count),
      tailCount: UInt16(line.tail.count), recognised: line.recognised)
    used += 1
  }
}
