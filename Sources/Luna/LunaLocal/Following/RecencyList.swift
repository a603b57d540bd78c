/// Numbers in the order in which they were used last; all operations take constant time.
struct RecencyList {
  private static let none: Int32 = -1

  private var before: [Int32] = []
  private var after: [Int32] = []
  private var head = RecencyList.none
  private var tail = RecencyList.none
  /// How many there are.
  private(set) var count = 0

  /// The one that was used least recently.
  var first: Int? { head == RecencyList.none ? nil : Int(head) }

  /// Whether a number is in the list.
  func contains(_ number: Int) -> Bool {
    number < before.count && (before[number] != RecencyList.none || head == Int32(number))
  }

  /// Adds a number, or moves it to the end.
  mutating func use(_ number: Int) {
    if Int(tail) == number { return }
    remove(number)
    while before.count <= number {
      before.append(RecencyList.none)
      after.append(RecencyList.none)
    }
    before[number] = tail
    if tail == RecencyList.none {
      head = Int32(number)
    } else {
      after[Int(tail)] = Int32(number)
    }
    tail = Int32(number)
    count += 1
  }

  /// Takes a number out; nothing happens when it is not there.
  mutating func remove(_ number: Int) {
    guard contains(number) else { return }
    let (previous, next) = (before[number], after[number])
    if previous == RecencyList.none { head = next } else { after[Int(previous)] = next }
    if next == RecencyList.none { tail = previous } else { before[Int(next)] = previous }
    before[number] = RecencyList.none
    after[number] = RecencyList.none
    count -= 1
  }
}
