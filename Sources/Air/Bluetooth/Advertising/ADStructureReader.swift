/// Walks the AD structures of advertising data. A zero length ends them and what follows is
/// ignored; a length that runs past the end stops the walk and marks the data as malformed, and
/// what came before is kept.
public struct ADStructureReader: Sendable {
  /// Where the next structure starts.
  @usableFromInline var position = 0

  /// Whether a structure ran past the end of the data.
  public private(set) var malformed = false

  /// A reader at the start of the data.
  @inlinable
  public init() {}

  /// The next structure in `bytes`, which must be the same data at every call; nil at the end.
  @inlinable
  public mutating func next(in bytes: Span<UInt8>) -> ADStructure? {
    guard position < bytes.count else { return nil }
    let length = Int(bytes[position])
    guard length > 0 else {
      position = bytes.count
      return nil
    }
    guard length < bytes.count &- position else {
      markMalformed()
      position = bytes.count
      return nil
    }
    let structure = ADStructure(
      type: bytes[position &+ 1], offset: position &+ 2, count: length &- 1)
    position &+= 1 &+ length
    return structure
  }

  @usableFromInline mutating func markMalformed() { malformed = true }
}
