import Beacons

/// A set of beacon families in one word.
struct FamilySet: Equatable {
  private var bits: UInt64 = 0

  private static let bitOf = Dictionary(
    uniqueKeysWithValues: BeaconFamily.allCases.enumerated().map { ($1, UInt64(1) << $0) })

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ family: BeaconFamily) { bits |= FamilySet.bitOf[family] ?? 0 }

  /// The members, in the order of their declaration.
  var members: [BeaconFamily] {
    BeaconFamily.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
  }
}
