import Bluetooth
import Testing

@testable import LunaDocuments

/// Lines that several threads keep together.
@Suite struct LineStoreTests {
  private let store = LineStore(isShared: true)

  private func key(_ number: UInt64) throws -> LineCache.Key {
    var report = Samples.luna
    report.address = BluetoothAddress(value: number)
    return try #require(LineCache.Key(report))
  }

  /// Has a thread keep a line.
  private func keep(_ number: UInt64, in cache: inout LineCache) throws {
    let wanted = try key(number)
    let text = Array("\(number)\n".utf8)
    text.withUnsafeBufferPointer { text in
      let line = LineCache.Line(
        head: UnsafeBufferPointer(rebasing: text[..<1]),
        tail: UnsafeBufferPointer(rebasing: text[1...]), recognised: number % 2 == 1)
      cache.insert(wanted, line)
    }
  }

  /// What a thread has kept.
  private func text(_ number: UInt64, in cache: borrowing LineCache) throws -> String? {
    guard let line = cache.find(try key(number)) else { return nil }
    #expect(line.recognised == (number % 2 == 1))
    return String(decoding: line.head, as: UTF8.self) + String(decoding: line.tail, as: UTF8.self)
  }

  @Test func whatOneThreadHasPrintedAllKnow() throws {
    var first = LineCache(store)
    let second = LineCache(store)
    let before = try text(12, in: second)
    #expect(before == nil)
    // The second time, whoever prints it.
    let once = first.isWorthKeeping(try key(12))
    let twice = second.isWorthKeeping(try key(12))
    #expect(!once && twice)
    try keep(12, in: &first)
    let after = try text(12, in: second)
    #expect(after == "12\n")
  }

  @Test func ofTwoWhoKeepALineTheFirstCounts() throws {
    var first = LineCache(store)
    var second = LineCache(store)
    try keep(13, in: &first)
    try keep(13, in: &second)
    try keep(14, in: &second)
    let found = [try text(13, in: first), try text(14, in: first)]
    #expect(found == ["13\n", "14\n"])
  }

  /// Who has not heard of it yet reads on in what was there.
  @Test func startsAnewWhenItIsFullAndTakesNothingFromOthers() throws {
    let capacity = UInt64(LineSlots.count * 3 / 4)
    var first = LineCache(store)
    let second = LineCache(store)
    for number in 1...capacity { try keep(number, in: &first) }
    let full = try text(1, in: first)
    #expect(full == "1\n")
    try keep(capacity + 1, in: &first)
    let found = [try text(1, in: first), try text(capacity + 1, in: first)]
    #expect(found == [nil, "\(capacity + 1)\n"])
    let others = [try text(1, in: second), try text(capacity + 1, in: second)]
    #expect(others == ["1\n", nil])
  }
}
