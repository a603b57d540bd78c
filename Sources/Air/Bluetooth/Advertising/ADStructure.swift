/// Where one AD structure lies in advertising data (Core Specification, Vol 3, Part C, 11).
public struct ADStructure: Hashable, Sendable {
  /// The AD type (Assigned Numbers, 2.3).
  public let type: UInt8
  /// The offset of the data, behind length and type.
  public let offset: Int
  /// The number of data bytes.
  public let count: Int

  /// A structure of `type` whose data lie at `offset`.
  @inlinable
  public init(type: UInt8, offset: Int, count: Int) {
    self.type = type
    self.offset = offset
    self.count = count
  }

  /// The range of the data.
  @inlinable public var range: Range<Int> { offset..<offset &+ count }
}
