/// The prepared writes of one client (Core Specification, Vol 3, Part F, 3.4.6), of limited size.
struct ATTWriteQueue: Sendable {
  /// The longest value takes 29 parts at the smallest ATT_MTU.
  static let partLimit = 64
  /// All parts together.
  static let byteLimit = 2 * ATTPDU.longestValue

  private var parts: [ATTPreparedWrite] = []

  /// Keeps a part.
  ///
  /// - Returns: whether there was room for it.
  mutating func add(_ part: ATTPreparedWrite) -> Bool {
    let count = parts.reduce(0) { $0 + $1.value.count }
    guard parts.count < ATTWriteQueue.partLimit,
      count + part.value.count <= ATTWriteQueue.byteLimit
    else { return false }
    parts.append(part)
    return true
  }

  /// Forgets everything.
  mutating func clear() { parts = [] }

  /// The values that the parts make, in the order in which they began. A part may write over what is
  /// there; it may not leave a hole.
  func values() -> Result<[(handle: UInt16, value: [UInt8])], Failure> {
    var values: [(handle: UInt16, value: [UInt8])] = []
    for part in parts {
      let number = values.firstIndex { $0.handle == part.handle } ?? values.count
      if number == values.count { values.append((part.handle, [])) }
      let offset = Int(part.offset)
      guard offset <= values[number].value.count else {
        return .failure(Failure(handle: part.handle, error: .invalidOffset))
      }
      let end = min(offset + part.value.count, values[number].value.count)
      values[number].value.replaceSubrange(offset..<end, with: part.value)
      guard values[number].value.count <= ATTPDU.longestValue else {
        return .failure(Failure(handle: part.handle, error: .invalidAttributeValueLength))
      }
    }
    return .success(values)
  }

  /// Why parts make no value.
  struct Failure: Error {
    let handle: UInt16
    let error: ATTErrorCode
  }
}
