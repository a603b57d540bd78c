/// Data that a check may use, taken from what there is for a month. Where nobody settles it, all counts as used.
package struct UplinkReservation: Hashable, Sendable {
  let number: Int64
  /// How many bytes, both ways together.
  package let bytes: Int64
}
