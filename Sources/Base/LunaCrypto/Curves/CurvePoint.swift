/// A point of an ``EllipticCurve`` other than infinity, by its affine coordinates, big-endian, each
/// as long as the curve's field.
public struct CurvePoint: Hashable, Sendable {
  /// The x coordinate: 28 bytes on P-224, 32 on P-256, 20 on secp160r1.
  public let x: [UInt8]
  /// The y coordinate, as long as ``x``.
  public let y: [UInt8]

  /// A point of two coordinates; whether it lies on a curve is checked where it is used.
  public init(x: [UInt8], y: [UInt8]) {
    self.x = x
    self.y = y
  }
}
