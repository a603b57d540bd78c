public import Beacons

/// What a tracker calls itself at present: its family, and the number that its frames carry.
public struct WatchIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The families, in the order of their numbers.
  private static let families = BeaconFamily.allCases
  private static let numbers: [BeaconFamily: UInt8] = Dictionary(
    uniqueKeysWithValues: families.indices.map { (families[$0], UInt8($0)) })

  /// The address, or the first eight bytes of what the frame carries.
  public let value: UInt64
  /// The family by its number: to compare names takes too long for every frame.
  let code: UInt8

  /// An identifier of a family.
  public init(_ family: BeaconFamily, _ value: UInt64) {
    self.init(code: WatchIdentifier.number(of: family), value)
  }

  init(code: UInt8, _ value: UInt64) {
    self.code = code
    self.value = value
  }

  /// Reads `family:hex`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let family = BeaconFamily(rawValue: String(parts[0])),
      !parts[1].isEmpty, let value = UInt64(parts[1], radix: 16)
    else { return nil }
    self.init(family, value)
  }

  static func number(of family: BeaconFamily) -> UInt8 { numbers[family] ?? 0 }

  /// Which maker's network it is one of.
  public var family: BeaconFamily { WatchIdentifier.families[Int(code)] }

  /// Whether the number is an address, of 48 bits.
  private var digits: Int {
    LinkTable.identity(of: family) == .address ? 12 : 16
  }

  /// `family:hex`.
  public var description: String {
    let hex = String(value, radix: 16)
    return "\(family.rawValue):" + String(repeating: "0", count: max(0, digits - hex.utf8.count))
      + hex
  }

  /// Equal when family and number are.
  public static func == (left: Self, right: Self) -> Bool {
    left.value == right.value && left.code == right.code
  }

  /// Feeds both.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value ^ UInt64(code) << 56)
  }
}
