import LunaCrypto

extension ControlAuthenticator {
  /// The receipt of a tracker for a package whose authentication code it accepted
  /// (PROTOCOL.md, 12.3).
  ///
  /// - Parameter clock: the tracker's clock after the command, Unix s.
  /// - Throws: the branch that `keys` lacks.
  public mutating func receipt(
    for package: ControlPackage, status: ControlStatus, clock: UInt32, keys: TrackerKeys
  ) throws(MissingBranchError) -> InlineArray<17, UInt8> {
    let tag = try receiptTag(
      package, package.format ?? .deferred, status: status.rawValue, clock: clock, keys)
    var receipt = InlineArray<17, UInt8> { $0 < 5 ? status.rawValue : tag[$0 - 5] }
    var span = receipt.mutableSpan
    span.setBigEndian(UInt64(clock), at: 1, count: 4)
    return receipt
  }

  /// Verifies what a tracker answered to a package.
  ///
  /// - Throws: the first test that failed.
  public mutating func verify(
    _ bytes: Span<UInt8>, for package: ControlPackage, keys: TrackerKeys
  ) throws(ReceiptRejection) -> Receipt {
    guard bytes.count != Receipt.shortByteCount else { throw .unauthenticated }
    guard bytes.count == Receipt.byteCount else { throw .length }
    guard let format = package.format else { throw .unverifiable }
    let clock = UInt32(truncatingIfNeeded: bytes.bigEndian(at: 1, count: 4))
    let tag: InlineArray<32, UInt8>
    do throws(MissingBranchError) {
      tag = try receiptTag(package, format, status: bytes[0], clock: clock, keys)
    } catch {
      throw .unverifiable
    }
    guard constantTimeEqual(tag.span.extracting(first: 12), bytes.extracting(5...)) else {
      throw .auth
    }
    return Receipt(statusCode: bytes[0], clock: clock)
  }

  private mutating func receiptTag(
    _ package: ControlPackage, _ format: ControlFormat, status: UInt8, clock: UInt32,
    _ keys: TrackerKeys
  ) throws(MissingBranchError) -> InlineArray<32, UInt8> {
    schedule.use(try key(format, reference: package.reference, keys))
    schedule.hmac.update("luna/1/rcpt")
    schedule.hmac.update(package.bytes.span.extracting(28...))
    var tail = InlineArray<5, UInt8>(repeating: status)
    var span = tail.mutableSpan
    span.setBigEndian(UInt64(clock), at: 1, count: 4)
    return schedule.hmac.code(for: tail.span)
  }
}
