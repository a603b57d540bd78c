/// What is measured of a slot.
public enum SlotMeasure: Sendable {
  /// Bytes that were acknowledged each second.
  case rate
  /// The median time of a round trip, s.
  case roundTrip
}
