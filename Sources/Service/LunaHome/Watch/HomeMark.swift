import LunaWatch

/// What an owner has said of a tracker that was with the box.
struct HomeMark: Hashable, Sendable {
  /// The words that an owner has.
  static let words: [WatchExclusion] = [.mine, .known, .falseAlarm]

  /// What it is.
  let word: WatchExclusion
  /// Who has said so.
  let who: String
  /// When, µs since 1970.
  let time: Int64
}
