/// Days of the week.
struct DaySet: Hashable, Sendable {
  private let bits: UInt8

  /// All of them.
  static let all = DaySet(bits: 0x7F)

  private init(bits: UInt8) { self.bits = bits }

  /// Of the names of the file: `mon` to `sun`, `weekdays`, `weekend`.
  init(_ names: [String]) {
    bits = names.reduce(0) { bits, name in
      switch name {
      case "weekdays": bits | 0x1F
      case "weekend": bits | 0x60
      default: HomeKeys.dayNames.firstIndex(of: name).map { bits | 1 << UInt8($0) } ?? bits
      }
    }
  }

  func contains(_ day: CivilDate) -> Bool { bits & 1 << UInt8(day.weekday) != 0 }
}
