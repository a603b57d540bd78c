extension UInt16 {
  /// The two bytes as packets carry them, least significant first.
  package var octets: [UInt8] {
    [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)]
  }
}
