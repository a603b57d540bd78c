/// The prepared writes of one client (Core Specification, Vol 3, Part F, 3.4.6), of limited size.
struct ATTWriteQueue: Sendable {
  /// The longest value that the parts may make.
  private let longestValue: Int
  private var parts: [ATTPreparedWrite] = []

  /// An empty queue.
  init(longestValue: Int) { self.longestValue = longestValue }

  /// All parts together.
  private var byteLimit: Int { 2 * longestValue }
  /// At the smallest ATT_MTU a part has 18 bytes: there is room for the longest value, twice but for a few parts.
  private var partLimit: Int { max(4, byteLimit / 16) }

  /// Keeps a part.
  ///
  /// - Returns: whether there was room for it.
  mutating func add(_ part: ATTPreparedWrite) -> Bool {
    let count = parts.reduce(0) { $0 + $1.value.count }
    guard parts.count < partLimit, count + part.value.count <= byteLimit else { return false }
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
      guard values[number].value.count <= longestValue else {
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
