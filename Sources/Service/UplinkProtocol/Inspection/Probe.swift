/// An original of which something is changed, to see whether a network still treats it as it does.
package enum Probe: Hashable, Sendable {
  /// A field of an upload.
  case field(InspectedField)
  /// Bytes, with all bits the other way round: ranges in order that do not touch.
  case bytes([Range<Int>])
}
