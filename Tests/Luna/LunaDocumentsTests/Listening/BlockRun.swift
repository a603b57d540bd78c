import Testing

@testable import LunaDocuments

/// The writer and the helpers of a `BlockOrder`, one step of one of them at a time.
struct BlockRun {
  private enum Writer {
    case free
    case works(Int)
    case waits, woken
  }

  private let count: Int
  private var order: BlockOrder<Int>
  private var writer = Writer.free
  /// What each helper works on.
  private var helpers: [Int?]
  private var added = 0
  private(set) var written: [Int] = []
  private(set) var done: [Int] = []
  /// The most blocks that there were.
  private(set) var most = 0

  init(limit: Int, count: Int, helpers: Int) {
    order = BlockOrder(limit: limit)
    self.count = count
    self.helpers = Array(repeating: nil, count: helpers)
  }

  var isOver: Bool { added == count && order.count == 0 }

  /// Lets the writer or a helper do something, by lot.
  mutating func advance(using generator: inout some RandomNumberGenerator) throws {
    let who = Int.random(in: 0...helpers.count, using: &generator)
    guard who < helpers.count else { return advanceWriter() }
    if let number = helpers[who] {
      helpers[who] = nil
      finish(number)
    } else if let (number, block) = order.begin() {
      // Blocks are numbered as they are added.
      try #require(number == block)
      helpers[who] = number
    }
  }

  private mutating func advanceWriter() {
    switch writer {
    case .waits: return
    case .works(let number):
      writer = .free
      finish(number)
    case .free, .woken:
      writer = .free
      switch order.step(untilEmpty: added == count) {
      case .write(let block): written.append(block)
      case .work(let number, _): writer = .works(number)
      case .wait: writer = .waits
      case nil where added < count:
        order.add(added)
        added += 1
        most = max(most, order.count)
      case nil: break
      }
    }
  }

  private mutating func finish(_ number: Int) {
    done.append(number)
    if order.finish(number) { writer = .woken }
  }
}
