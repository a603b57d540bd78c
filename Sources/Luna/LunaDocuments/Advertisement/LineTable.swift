import Glibc
import Synchronization

/// The lines that a `LineStore` keeps. One thread at a time adds some; any number look for them meanwhile, since
/// what is there stays as it is.
final class LineTable: @unchecked Sendable {
  /// A line of a processor's cache.
  private static let keyAlignment = 64

  let slots: LineSlots
  private var used = 0
  private var textCount = 0

  init() {
    let keyCount = MemoryLayout<InlineArray<8, UInt64>>.stride * LineSlots.count
    slots = LineSlots(
      keys: UnsafeMutableRawPointer.allocate(
        byteCount: keyCount, alignment: LineTable.keyAlignment
      ).bindMemory(to: InlineArray<8, UInt64>.self, capacity: LineSlots.count),
      places: .allocate(capacity: LineSlots.count),
      text: .allocate(capacity: LineSlots.textCapacity))
    for index in 0..<LineSlots.count { (slots.places + index).initialize(to: Atomic(0)) }
  }

  deinit {
    UnsafeMutableRawPointer(slots.keys).deallocate()
    slots.places.deinitialize(count: LineSlots.count)
    slots.places.deallocate()
    slots.text.deallocate()
  }

  /// Starts anew. Nobody may look meanwhile, or have a line.
  func clear() {
    for index in 0..<LineSlots.count { slots.places[index].store(0, ordering: .relaxed) }
    used = 0
    textCount = 0
  }

  /// Keeps a line under `key`, if none is there yet.
  ///
  /// - Returns: Whether there is room for it.
  func insert(_ key: borrowing LineCache.Key, _ line: LineCache.Line) -> Bool {
    let (headCount, tailCount) = (line.head.count, line.tail.count)
    guard headCount <= UInt16.max, tailCount <= UInt16.max, tailCount > 0 else { return true }
    let (index, place) = slots.slot(for: key)
    guard place.isEmpty else { return true }
    guard used < LineSlots.count * 3 / 4,
      textCount + headCount + tailCount <= LineSlots.textCapacity
    else { return false }
    let offset = textCount
    for part in [line.head, line.tail] {
      guard let start = part.baseAddress else { continue }
      memcpy(slots.text + textCount, start, part.count)
      textCount += part.count
    }
    slots.keys[index] = key.words
    used += 1
    let new = LinePlace(
      offset: offset, headCount: UInt16(headCount), tailCount: UInt16(tailCount),
      recognised: line.recognised)
    slots.places[index].store(new.word, ordering: .releasing)
    return true
  }
}
