import FileOutput
import Glibc

/// Text on its way to a file descriptor: one growing buffer, written in large pieces.
///
/// All documents go through one of these, so that a line is never split and a million lines cost few
/// system calls. One thread at a time may use it.
public final class OutputBuffer {
  /// Why writing failed.
  public struct WriteError: Error, Sendable {
    /// The error number of write(2).
    public let code: Int32
    /// The reader has gone: nothing to complain about.
    public var isClosedPipe: Bool { code == EPIPE }
  }

  /// How much is gathered before `flushIfLarge` writes.
  private static let threshold = 64 * 1024

  /// Nil where somebody takes the text instead.
  private let descriptor: Int32?
  // Written at every byte; used by one owner at a time, as the sinks are.
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  /// The bytes waiting.
  @exclusivity(unchecked) package private(set) var count = 0

  /// A buffer that is written to a descriptor, which stays open.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
    capacity = OutputBuffer.threshold + 16 * 1024
    base = .allocate(capacity: capacity)
  }

  /// A buffer that holds its text until somebody takes it.
  public init() {
    descriptor = nil
    capacity = 4 * 1024
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for `extra` more bytes and returns where they go.
  @inline(__always)
  private func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < extra { grow(extra) }
    return base + count
  }

  @inline(never)
  private func grow(_ extra: Int) {
    capacity = max(capacity * 2, count + extra)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Appends one byte.
  @inline(__always)
  package func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count += 1
  }

  /// Appends a constant text as it is. What is not constant goes through `append(text:)`,
  /// `append(line:)`, `append(document:)` or `append(jsonEscaped:)`, which escape.
  @inline(__always)
  package func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    memcpy(reserve(length), text.utf8Start, length)
    count += length
  }

  /// Appends bytes.
  @inline(__always)
  package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    memcpy(reserve(bytes.count), start, bytes.count)
    count += bytes.count
  }

  /// Appends a number in decimal digits.
  @inline(__always)
  package func append(decimal value: Int64) {
    var magnitude = value.magnitude
    if value < 0 { append(UInt8(ascii: "-")) }
    var digits = 1
    var limit: UInt64 = 10
    while digits < 19, magnitude >= limit {
      digits += 1
      limit &*= 10
    }
    let place = reserve(20)
    var index = digits
    repeat {
      index -= 1
      place[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude % 10)
      magnitude /= 10
    } while index > 0
    count += digits
  }

  /// Appends exactly `digits` decimal digits of a number that is not negative.
  @inline(__always)
  package func append(padded value: Int64, digits: Int) {
    let place = reserve(digits)
    var rest = value
    for index in stride(from: digits - 1, through: 0, by: -1) {
      place[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Appends bytes as lower-case hexadecimal digits.
  package func append(hex bytes: Span<UInt8>) {
    let place = reserve(bytes.count * 2)
    for index in 0..<bytes.count {
      let byte = bytes[index]
      place[2 * index] = OutputBuffer.lowerDigit(byte >> 4)
      place[2 * index + 1] = OutputBuffer.lowerDigit(byte & 15)
    }
    count += bytes.count * 2
  }

  @inline(__always)
  private static func lowerDigit(_ value: UInt8) -> UInt8 {
    value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10)
  }

  /// Lends what was appended from `start` on.
  package func withBytes<Result>(from start: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    body(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// Takes what was appended, in UTF-8.
  public func take() -> [UInt8] {
    defer { count = 0 }
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Takes back what was appended after `mark`, an earlier value of `count`.
  package func truncate(to mark: Int) { count = mark }

  /// Gives another buffer what waits here, and takes what waits there.
  package func exchange(with other: OutputBuffer) {
    (base, other.base) = (other.base, base)
    (capacity, other.capacity) = (other.capacity, capacity)
    (count, other.count) = (other.count, count)
  }

  /// Writes when enough has gathered.
  @inline(__always)
  public func flushIfLarge() throws(WriteError) {
    if count >= OutputBuffer.threshold { try flush() }
  }

  /// Writes everything.
  public func flush() throws(WriteError) {
    guard let descriptor else { return }
    let code = FileOutput.put(UnsafeRawBufferPointer(start: base, count: count), descriptor)
    count = 0
    if code != 0 { throw WriteError(code: code) }
  }
}
