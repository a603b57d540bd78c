package import Beacons

/// A set of beacon families in one word.
package struct FamilySet: Equatable {
  private var bits: UInt64 = 0

  private static let bitOf = Dictionary(
    uniqueKeysWithValues: BeaconFamily.allCases.enumerated().map { ($1, UInt64(1) << $0) })

  package var isEmpty: Bool { bits == 0 }

  package mutating func insert(_ family: BeaconFamily) { bits |= FamilySet.bitOf[family] ?? 0 }

  /// The members, in the order of their declaration.
  package var members: [BeaconFamily] {
    BeaconFamily.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
  }
}
