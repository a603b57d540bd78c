/// Reads the blocks of a pcapng file: sections with their interfaces, and the packets in them. Each
/// block states its length at both ends; where these disagree, or a length cannot be, it goes on at
/// the next place where a block of a known type with matching lengths stands.
struct PcapngReader: Sendable {
  /// Type and length in front, length behind.
  private static let frameCount = 12
  /// Larger blocks are not believed; as in Wireshark.
  private static let maximumBlockCount: UInt32 = 16 << 20
  /// More interfaces than any recorder has.
  private static let maximumInterfaces = 65_536

  /// The first link type in the file that Luna does not read; nil as well when there is one that
  /// it reads.
  var unsupportedLink: UInt16? { hasSupportedInterface ? nil : firstUnsupported }

  /// The packets that the recorder has lost so far.
  private(set) var lostCount: UInt64 = 0

  private var interfaces: [PcapngInterface] = []
  private var firstUnsupported: UInt16?
  private var hasSupportedInterface = false
  private var isBigEndian = false
  private var searching = false
  /// Whether the section is of a version that is not known.
  private var ignoresSection = false
  /// What is left of a block that is passed over and need not be in one piece.
  private var skipping = 0

  mutating func next(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> CaptureStep {
    while true {
      if skipping > 0, !skip(in: bytes, at: &cursor) {
        if isEnd { diagnostics.note(.truncated, at: cursor.offset) }
        return isEnd ? .end : .more
      }
      if searching, !resume(in: bytes, at: &cursor, isEnd: isEnd, diagnostics: &diagnostics) {
        return isEnd ? .end : .more
      }
      let start = cursor.position
      let available = bytes.count &- start
      guard available >= PcapngReader.frameCount else {
        return cursor.cutOff(available, isEnd: isEnd, diagnostics: &diagnostics)
      }
      let type = bytes.littleEndian(UInt32.self, at: start)
      if type == PcapngBlockType.sectionHeader {
        guard let order = PcapngReader.isBigEndian(bytes, start) else {
          diagnostics.note(.invalidBlock, at: cursor.offset)
          searching = true
          continue
        }
        isBigEndian = order
      }
      // No packet is that long, and what is behind it may be all that the file holds.
      guard let count = PcapngReader.blockCount(word(bytes, start &+ 4)),
        count <= CaptureReader.requiredCapacity || !PcapngBlockType.isRead(word(bytes, start))
      else {
        diagnostics.note(.wrongLength, at: cursor.offset)
        searching = true
        continue
      }
      if count > CaptureReader.requiredCapacity {
        skipping = count
        continue
      }
      // Only the last block can be cut off: where another stands behind it, its length is wrong.
      if available < count, !isEnd || !isFollowed(bytes, start) {
        return cursor.cutOff(available, isEnd: isEnd, diagnostics: &diagnostics)
      }
      guard available >= count, word(bytes, start &+ count &- 4) == word(bytes, start &+ 4) else {
        diagnostics.note(.wrongLength, at: cursor.offset)
        searching = true
        continue
      }
      let offset = cursor.offset
      cursor.advance(count)
      switch read(bytes, start, count, offset) {
      case .record(let record): return .record(record)
      case .passed: continue
      case .invalid: diagnostics.note(.invalidBlock, at: offset)
      }
    }
  }

  private enum Block {
    case record(CaptureRecord)
    case passed
    case invalid
  }

  private mutating func read(
    _ bytes: Span<UInt8>, _ start: Int, _ count: Int, _ offset: UInt64
  ) -> Block {
    let body = start &+ 8
    let end = start &+ count &- 4
    switch word(bytes, start) {
    case PcapngBlockType.sectionHeader:
      // byte order, major and minor version, section length
      interfaces.removeAll()
      ignoresSection = end &- body < 16 || half(bytes, body &+ 4) != 1
      return ignoresSection ? .invalid : .passed
    case _ where ignoresSection:
      return .passed
    case PcapngBlockType.interface:
      guard interfaces.count < PcapngReader.maximumInterfaces,
        let interface = PcapngInterface(
          bytes.extracting(body..<end), isBigEndian: isBigEndian)
      else { return .invalid }
      interfaces.append(interface)
      if interface.linkType != nil {
        hasSupportedInterface = true
      } else if firstUnsupported == nil {
        firstUnsupported = interface.link
      }
      return .passed
    case PcapngBlockType.enhancedPacket:
      // interface, time high and low, included and original length
      guard end &- body >= 20 else { return .invalid }
      lostCount &+= lost(bytes, behind: word(bytes, body &+ 12), from: body &+ 20, to: end)
      return packet(
        bytes, offset, interface: Int(word(bytes, body)), time: body &+ 4,
        start: body &+ 20, included: word(bytes, body &+ 12), end: end)
    case PcapngBlockType.packet:
      // interface and drops with two bytes each, then as above
      guard end &- body >= 20 else { return .invalid }
      let dropped = half(bytes, body &+ 2)
      // The highest number stands for nobody knows.
      if dropped != .max { lostCount &+= UInt64(dropped) }
      return packet(
        bytes, offset, interface: Int(half(bytes, body)), time: body &+ 4,
        start: body &+ 20, included: word(bytes, body &+ 12), end: end)
    case PcapngBlockType.simplePacket:
      // the original length only: the included one follows from the snapshot length
      guard end &- body >= 4, let interface = interfaces.first else { return .invalid }
      let original = word(bytes, body)
      let kept = interface.snapshotCount == 0 ? original : min(original, interface.snapshotCount)
      return packet(
        bytes, offset, interface: 0, time: nil, start: body &+ 4, included: kept, end: end)
    default:
      return .passed
    }
  }

  private func packet(
    _ bytes: Span<UInt8>, _ offset: UInt64, interface index: Int, time: Int?, start: Int,
    included: UInt32, end: Int
  ) -> Block {
    guard index < interfaces.count, Int(included) <= end &- start else { return .invalid }
    let interface = interfaces[index]
    let end = start &+ Int(included)
    return .record(
      CaptureRecord(
        offset: offset,
        time: time.map {
          interface.timestamp(high: word(bytes, $0), low: word(bytes, $0 &+ 4))
        } ?? .unknown,
        packet: interface.linkType?.packet(bytes, from: start, to: end)
          ?? CapturePacket(.unsupported, start, end)))
  }

  /// `epb_dropcount`: the packets that were lost between the one before and this one.
  private func lost(
    _ bytes: Span<UInt8>, behind included: UInt32, from start: Int, to end: Int
  ) -> UInt64 {
    // options: code, length, value, filled up to a multiple of four, behind a packet that is filled up too
    var position = start &+ (Int(included) + 3) & ~3
    while end &- position >= 4 {
      let count = Int(half(bytes, position &+ 2))
      switch half(bytes, position) {
      case 0: return 0
      case 4 where count == 8 && end &- position >= 12:
        // More than any interface loses between two packets is damage, and would drown all other numbers.
        let count = bytes.number(UInt64.self, at: position &+ 4, isBigEndian: isBigEndian)
        return min(count, UInt64(UInt32.max))
      default: position &+= 4 &+ (count + 3) & ~3
      }
    }
    return 0
  }

  private func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
    bytes.number(UInt32.self, at: offset, isBigEndian: isBigEndian)
  }

  private func half(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
    bytes.number(UInt16.self, at: offset, isBigEndian: isBigEndian)
  }

  /// The byte order that a section header states; nil when it states none.
  private static func isBigEndian(_ bytes: Span<UInt8>, _ start: Int) -> Bool? {
    switch bytes.bigEndian(UInt32.self, at: start &+ 8) {
    case 0x1A2B_3C4D: true
    case 0x4D3C_2B1A: false
    default: nil
    }
  }

  /// The size of a block that states `count`; nil when it cannot be. Lengths that are no multiple
  /// of four are rounded up, as their writers meant them.
  private static func blockCount(_ count: UInt32) -> Int? {
    guard count >= PcapngReader.frameCount, count <= PcapngReader.maximumBlockCount else {
      return nil
    }
    return (Int(count) + 3) & ~3
  }

  /// Passes over what is left of a block.
  ///
  /// - Returns: false when it goes on behind `bytes`.
  private mutating func skip(in bytes: Span<UInt8>, at cursor: inout CaptureCursor) -> Bool {
    let count = min(skipping, bytes.count &- cursor.position)
    cursor.advance(count)
    skipping &-= count
    return skipping == 0
  }

  /// Moves to the next block behind the damaged one at the cursor.
  ///
  /// - Returns: false when there is none in `bytes`; the cursor is where the search has to go on.
  private mutating func resume(
    in bytes: Span<UInt8>, at cursor: inout CaptureCursor, isEnd: Bool,
    diagnostics: inout CaptureDiagnostics
  ) -> Bool {
    searching = !cursor.search(in: bytes, diagnostics: &diagnostics) {
      isBlock(bytes, $0, isEnd: isEnd)
    }
    return !searching
  }

  /// Whether a block stands anywhere behind the one at `start`, in the bytes at the end of the file.
  private func isFollowed(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    for position in start &+ 4..<bytes.count where isBlock(bytes, position, isEnd: true) == true {
      return true
    }
    return false
  }

  /// Whether a block stands at `start`, beyond doubt; nil when the bytes do not reach far enough.
  private func isBlock(_ bytes: Span<UInt8>, _ start: Int, isEnd: Bool) -> Bool? {
    let available = bytes.count &- start
    guard available >= PcapngReader.frameCount else { return isEnd ? false : nil }
    var order = isBigEndian
    if word(bytes, start) == PcapngBlockType.sectionHeader {
      guard let stated = PcapngReader.isBigEndian(bytes, start) else { return false }
      order = stated
    }
    let stated = bytes.number(UInt32.self, at: start &+ 4, isBigEndian: order)
    guard
      PcapngBlockType.isKnown(bytes.number(UInt32.self, at: start, isBigEndian: order)),
      let count = PcapngReader.blockCount(stated), count <= CaptureReader.requiredCapacity
    else { return false }
    guard available >= count else { return isEnd ? false : nil }
    return bytes.number(UInt32.self, at: start &+ count &- 4, isBigEndian: order) == stated
  }
}
