import Bluetooth

/// The printed form of advertisements that were printed before.
///
/// An advertiser repeats the same PDU hundreds of times; only time and RSSI differ. The text before
/// and behind the RSSI is kept under everything else in the report, so that a repeat costs a look-up
/// and two copies. A line is kept when its key comes the second time, so that payloads which are new
/// each time (telemetry, counters) do not push out the others. Memory is bounded: when the store is
/// full it starts anew.
///
/// Each thread has its own, in which it looks without a lock; what they keep, they may share.
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

  private let store: LineStore
  /// Where is looked, and what keeps it there.
  private var slots: LineSlots
  private var table: LineTable

  /// - Parameter store: What keeps the lines; several threads may have caches of one.
  init(_ store: LineStore = LineStore()) {
    self.store = store
    table = store.table
    slots = table.slots
  }

  /// The line kept under `key`. Valid until the next `insert`.
  @inline(__always)
  func find(_ key: borrowing Key) -> Line? {
    let place = slots.slot(for: key).place
    guard !place.isEmpty else { return nil }
    let head = slots.text + place.offset
    return Line(
      head: UnsafeBufferPointer(start: head, count: place.headCount),
      tail: UnsafeBufferPointer(start: head + place.headCount, count: place.tailCount),
      recognised: place.recognised)
  }

  /// Whether the line of `key`, which is not there, is worth keeping: it was asked for before.
  func isWorthKeeping(_ key: Key) -> Bool { store.isWorthKeeping(key) }

  /// Keeps a line under `key`, which is not there yet.
  mutating func insert(_ key: Key, _ line: Line) {
    table = store.insert(key, line)
    slots = table.slots
  }
}
