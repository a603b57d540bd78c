/// What the levels of a table lie between, and how they are told apart.
public struct TableScale: Sendable, Equatable {
  /// The levels of the lowest and of the highest bar.
  public var bars: ClosedRange<Int>
  /// From where a level is strong, and from where it is not weak.
  public var strong, middling: Int

  /// A scale; `bars` are the levels of the lowest and the highest, and `middling` is at most `strong`.
  public init(bars: ClosedRange<Int>, strong: Int, middling: Int) {
    self.bars = bars
    self.strong = strong
    self.middling = middling
  }

  func look(of level: Int) -> TableLook {
    level >= strong ? .strong : level >= middling ? .middling : .weak
  }
}
