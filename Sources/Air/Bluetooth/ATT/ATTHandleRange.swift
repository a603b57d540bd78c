/// A run of attribute handles, both ends included. What a peer sent may be the wrong way round.
public struct ATTHandleRange: Hashable, Sendable {
  /// The lowest handle that is meant; 0, which no attribute has, is possible in what a peer sent.
  public let first: UInt16
  /// The highest handle that is meant, itself included; a peer may send one below ``first``.
  public let last: UInt16

  /// The handles from `first` to `last`.
  public init(_ first: UInt16, _ last: UInt16) {
    self.first = first
    self.last = last
  }

  /// Every handle that there can be.
  public static let all = ATTHandleRange(0x0001, 0xFFFF)

  /// Whether a request may ask for it: it does not begin with 0 and does not run backwards
  /// (Core Specification, Vol 3, Part F, 3.4.3.1 and others).
  public var isValid: Bool { first != 0 && first <= last }

  /// Whether a handle lies in it.
  public func contains(_ handle: UInt16) -> Bool { first <= handle && handle <= last }
}
