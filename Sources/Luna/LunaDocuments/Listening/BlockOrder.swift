/// Blocks of work that several threads do, in any order, and one writes, in that in which they came.
///
/// The writer adds a block, and takes steps until there is room for the next one. While the oldest block is
/// not done, the writer does another; so with no other thread all of it is done all the same, and there are
/// never more blocks than the limit, however long writing takes.
struct BlockOrder<Block: Sendable>: Sendable {
  /// What the writer does next.
  enum Step: Sendable {
    /// The oldest block is done, and is not counted any more.
    case write(Block)
    /// The oldest is not done yet: do this one meanwhile, and ``finish(_:)`` it.
    case work(number: Int, Block)
    /// All have been begun: wait until ``finish(_:)`` says so.
    case wait
  }

  private enum State: Sendable { case waiting, begun, done }

  private let limit: Int
  /// The oldest first.
  private var blocks: [(block: Block, state: State)] = []
  /// The number of the first of them.
  private var oldest = 0
  private var isAwaited = false

  /// - Parameter limit: so many blocks there are at most.
  init(limit: Int) { self.limit = limit }

  /// The blocks that were not written yet.
  var count: Int { blocks.count }

  /// Adds a block. There is room for one when ``step(untilEmpty:)`` has returned nil.
  mutating func add(_ block: Block) { blocks.append((block, .waiting)) }

  /// The oldest block that nobody has begun.
  mutating func begin() -> (number: Int, block: Block)? {
    guard let index = blocks.firstIndex(where: { $0.state == .waiting }) else { return nil }
    blocks[index].state = .begun
    return (oldest + index, blocks[index].block)
  }

  /// A block is done.
  ///
  /// - Returns: Whether the writer waits for it, and is to be woken.
  mutating func finish(_ number: Int) -> Bool {
    blocks[number - oldest].state = .done
    guard isAwaited, number == oldest else { return false }
    isAwaited = false
    return true
  }

  /// What the writer does next; nil when there is room for another block, or none is left.
  mutating func step(untilEmpty: Bool) -> Step? {
    guard let first = blocks.first, untilEmpty || blocks.count >= limit else { return nil }
    if first.state == .done {
      oldest += 1
      return .write(blocks.removeFirst().block)
    }
    if let (number, block) = begin() { return .work(number: number, block) }
    isAwaited = true
    return .wait
  }
}
