import Glibc

/// The write-ahead log of a database, as its files show it: what is committed, and whether it can still
/// be read as it was written. SQLite itself reads the sums in a log only when nobody has it open.
///
/// Formats: "WAL-mode File Format", https://www.sqlite.org/walformat.html.
struct WriteAheadLog: Sendable {
  /// What the index says of a log.
  struct Position: Hashable, Sendable {
    /// How many frames are committed.
    let frames: UInt32
    /// The sums over all of them.
    let sums: Sums
    /// What is in each of them, and changes when the log begins anew.
    let salts: UInt64
    /// Bytes of a page.
    let page: Int
    /// How many frames have been moved into the database, and how many a move that has begun is about.
    let moved: UInt32
    let moving: UInt32
    /// How often was committed since the index was made, into this log and into those before it.
    let commits: UInt32

    /// Whether the same is committed.
    func isSameLog(_ other: Position?) -> Bool {
      frames == other?.frames && salts == other?.salts && sums == other?.sums
    }
  }

  /// The two sums that run through a log.
  struct Sums: Hashable, Sendable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    /// Goes on with some words of four bytes, an even number of them.
    fileprivate mutating func add(_ bytes: UnsafeRawBufferPointer, isBig: Bool) {
      var (first, second) = (first, second)
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first &+= (isBig ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
        second &+= (isBig ? UInt32(bigEndian: other) : UInt32(littleEndian: other)) &+ first
      }
      (self.first, self.second) = (first, second)
    }

    fileprivate init() {}

    fileprivate init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      first = bytes.bigEndian(offset)
      second = bytes.bigEndian(offset + 4)
    }

    fileprivate init(first: UInt32, second: UInt32) {
      self.first = first
      self.second = second
    }
  }

  /// Bytes of the header of a log, and of each frame's.
  fileprivate static let header = 32, frame = 24
  /// Bytes of the index that are read, and of each of the two copies of its header.
  private static let index = 136, copy = 48
  private static let piece = 1 << 20

  private let path: String

  /// - Parameter path: of the database.
  init(path: String) { self.path = path }

  /// What the index says that nobody in this process has open; nil as for ``position(_:)``.
  func positionLeft() -> Position? {
    // Closing it lets go of all locks that this process holds on it.
    OpenDatabases.unlessOpen(path) {
      WriteAheadLog.read(path + "-shm", count: WriteAheadLog.index)
    }.flatMap { $0.withUnsafeBytes(WriteAheadLog.position) }
  }

  /// What the index says; nil where it says nothing now: there is no log, it is being written, or what
  /// is there cannot be understood, which SQLite will find as well, and make it anew.
  static func position(_ index: UnsafeRawBufferPointer) -> Position? {
    guard index.count >= WriteAheadLog.index else { return nil }
    // Others may write into it meanwhile.
    return Array(index[..<WriteAheadLog.index]).withUnsafeBytes { bytes in
      let copy = bytes[..<WriteAheadLog.copy]
      guard copy.elementsEqual(bytes[WriteAheadLog.copy..<2 * WriteAheadLog.copy]),
        bytes.native(0) == 3_007_000, bytes[12] == 1
      else { return nil }
      var sums = Sums()
      // The index is for this machine: its numbers have the order of bytes that this machine has.
      sums.add(UnsafeRawBufferPointer(rebasing: bytes[..<40]), isBig: 1.bigEndian == 1)
      guard sums == Sums(first: bytes.native(40), second: bytes.native(44)) else { return nil }
      let size = bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
      return Position(
        frames: bytes.native(16), sums: Sums(first: bytes.native(24), second: bytes.native(28)),
        salts: bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self),
        page: Int(size & 0xFE00) + Int(size & 1) << 16, moved: bytes.native(96),
        moving: bytes.native(128), commits: bytes.native(8))
    }
  }

  /// Reads the log through.
  ///
  /// - Parameters:
  ///   - position: what the index says.
  ///   - start: to where it was read before.
  ///   - pages: what is in its frames up to there; in the end, up to `position`.
  /// - Returns: what is wrong, for a person; nil when everything is as it was written.
  func damage(
    upTo position: Position, from start: Position? = nil, _ pages: inout LogPages
  ) -> String? {
    guard position.frames > 0 else {
      pages = LogPages()
      return nil
    }
    let name = path + "-wal"
    let file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT { return "\(name) was deleted or moved" }
      // Who may not open it does not know what is in it: it may have begun anew meanwhile.
      pages = LogPages()
      return nil
    }
    defer { close(file) }
    guard let header = WriteAheadLog.read(file, at: 0, count: WriteAheadLog.header) else {
      pages = LogPages()
      return nil  // The disk does not answer: SQLite will say so.
    }
    guard header.count == WriteAheadLog.header else { return "\(name) was cut" }
    guard let header = Header(header), header.salts == position.salts else {
      return "\(name) was overwritten"
    }
    var reading = Reading(sums: header.sums, done: 0, isBig: header.isBig)
    if let start, start.salts == position.salts, start.frames <= position.frames,
      start.frames > 0, pages.pages.count == Int(start.frames)
    {
      (reading.sums, reading.done) = (start.sums, start.frames)
    } else {
      pages = LogPages()
    }
    return damage(name, file, &reading, &pages, position)
  }

  private struct Reading {
    var sums: Sums
    var done: UInt32
    let isBig: Bool
  }

  private func damage(
    _ name: String, _ file: Int32, _ reading: inout Reading, _ pages: inout LogPages,
    _ position: Position
  ) -> String? {
    let size = position.page + WriteAheadLog.frame
    while reading.done < position.frames {
      let wanted = min(max(1, WriteAheadLog.piece / size), Int(position.frames - reading.done))
      let place = WriteAheadLog.header + Int(reading.done) * size
      guard let bytes = WriteAheadLog.read(file, at: place, count: wanted * size) else {
        return nil
      }
      let isWhole = bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count / size * size, by: size) {
          let frame = UnsafeRawBufferPointer(rebasing: bytes[start..<start + size])
          reading.sums.add(UnsafeRawBufferPointer(rebasing: frame[..<8]), isBig: reading.isBig)
          reading.sums.add(
            UnsafeRawBufferPointer(rebasing: frame[WriteAheadLog.frame...]), isBig: reading.isBig)
          guard frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == position.salts,
            reading.sums == Sums(frame, at: 16)
          else { return false }
          pages.append(frame.bigEndian(0), isCommit: frame.bigEndian(4) != 0)
          reading.done += 1
        }
        return true
      }
      guard isWhole else { return "\(name) was overwritten" }
      guard bytes.count == wanted * size else { return "\(name) was cut" }
    }
    return reading.sums == position.sums ? nil : "\(name) was overwritten"
  }

  /// The salts in the header of the log; nil when it cannot be read.
  var salts: UInt64? {
    WriteAheadLog.read(path + "-wal", count: WriteAheadLog.header)
      .flatMap(WriteAheadLog.Header.init)?.salts
  }

  /// What a log begins with.
  private struct Header {
    let isBig: Bool
    let sums: Sums
    let salts: UInt64

    /// Nil when it is not as it was written.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == WriteAheadLog.header else { return nil }
      let header: Header? = bytes.withUnsafeBytes { bytes in
        let isBig = bytes.bigEndian(0) & 1 == 1
        var sums = Sums()
        sums.add(UnsafeRawBufferPointer(rebasing: bytes[..<24]), isBig: isBig)
        guard bytes.bigEndian(0) & ~1 == 0x377F_0682, sums == Sums(bytes, at: 24) else {
          return nil
        }
        return Header(
          isBig: isBig, sums: sums, salts: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      }
      guard let header else { return nil }
      self = header
    }

    private init(isBig: Bool, sums: Sums, salts: UInt64) {
      self.isBig = isBig
      self.sums = sums
      self.salts = salts
    }
  }

  private static func read(_ path: String, count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return read(file, at: 0, count: count)
  }

  /// As many bytes as there are; nil when the disk does not answer.
  private static func read(_ file: Int32, at place: Int, count: Int) -> [UInt8]? {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let more = pread(file, buffer.baseAddress.map { $0 + done }, count - done, place + done)
        if more < 0, errno == EINTR { continue }
        hasFailed = more < 0
        guard more > 0 else { break }
        done += more
      }
    }
    return hasFailed ? nil : bytes
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func native(_ offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  fileprivate func bigEndian(_ offset: Int) -> UInt32 { UInt32(bigEndian: native(offset)) }
}
