import LunaProtocol

@testable import LunaFinder

/// What the tables of a finder take: all that grows with how many are on the air. It is counted, not
/// measured, and so the same on every machine.
enum TableMemory {
  /// The most that they may take, of the 64 MiB of the whole process that `luna-bench floods` measures.
  static let limit = 48 << 20

  /// What they take when they are as full as they may be. While one grows, the one before is there as
  /// well, which is half as large.
  static var most: Int {
    let newcomers = bytes(FrameIdentity.self, HeardSeconds.self, count: Newcomers.memory)
    let count = FinderMachine.crowdLimit + FinderMachine.floodLimit
    let presences = bytes(FrameIdentity.self, FinderMachine.Presence.self, count: count)
    let identities = bytes(HEID.self, FrameIdentity.self, count: count)
    return (2 * newcomers + presences + identities) * 3 / 2
  }

  /// What those of a machine take.
  static func bytes(of machine: FinderMachine) -> Int {
    bytes(machine.newcomers.present) + bytes(machine.newcomers.past) + bytes(machine.presences)
      + bytes(machine.identities)
  }

  private static func bytes<Key, Value>(_ table: [Key: Value]) -> Int {
    bytes(Key.self, Value.self, count: table.capacity)
  }

  /// A table has a power of two of places, of which three quarters are used before it grows.
  private static func bytes<Key, Value>(_ key: Key.Type, _ value: Value.Type, count: Int) -> Int {
    var places = 1
    while places * 3 / 4 < count { places *= 2 }
    return places * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) + places / 8
  }
}
