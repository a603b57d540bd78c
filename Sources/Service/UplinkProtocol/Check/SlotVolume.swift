/// How much data slots take on the link, headers included, both ways together.
package enum SlotVolume {
  /// What headers and TLS add to data, percent.
  private static let overhead: Int64 = 8
  /// What each slot adds, bytes.
  private static let slot: Int64 = 10_000

  /// How many bytes of data fit into so many on the link.
  package static func data(in budget: Int64, slots: Int) -> Int {
    let room = max(0, budget - Int64(slots) * slot)
    return Int(room * 100 / (100 + overhead))
  }

  /// How many bytes on the link so many of data took.
  package static func used(_ bytes: Int, slots: Int) -> Int64 {
    Int64(bytes) * (100 + overhead) / 100 + Int64(slots) * slot
  }
}
