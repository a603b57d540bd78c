import COpenSSL

/// Arithmetic on a short Weierstrass curve, as far as rotating public keys ask for it: Find My
/// accessories (P-224) and Find Hub identifiers (secp160r1, P-256). Scalars are big-endian numbers
/// below the order, ``scalarCount`` bytes long.
@safe public struct EllipticCurve: ~Copyable, @unchecked Sendable {
  /// The curves, by the names that their standards give them.
  public enum Name: String, Sendable {
    /// NIST P-224 (FIPS 186-4, D.1.2.2), secp224r1.
    case p224 = "P-224"
    /// NIST P-256 (FIPS 186-4, D.1.2.3), secp256r1.
    case p256 = "P-256"
    /// secp160r1 (SEC 2 version 1, 2.4.2). Its order has 161 bits.
    case secp160r1
  }

  /// Which curve this is.
  public let name: Name
  /// The bytes of a coordinate: 28, 32 or 20.
  public let coordinateCount: Int
  /// The bytes of a scalar: 28, 32 or 21.
  public let scalarCount: Int

  private let group: Owned
  private let context: Owned
  private let order: Owned

  /// The curve.
  ///
  /// - Throws: ``CryptoError`` when libcrypto was built without it.
  public init(_ name: Name) throws(CryptoError) {
    let identifier =
      switch name {
      case .p224: NID_secp224r1
      case .p256: NID_X9_62_prime256v1
      case .secp160r1: NID_secp160r1
      }
    guard let made = unsafe EC_GROUP_new_by_curve_name(identifier) else {
      throw .fromOpenSSL(.unavailable, name.rawValue)
    }
    let group = try unsafe Owned(made, name.rawValue, free: EC_GROUP_free)
    let context = try unsafe Owned(BN_CTX_secure_new(), name.rawValue, free: BN_CTX_free)
    let order = try EllipticCurve.number(name)
    guard unsafe EC_GROUP_get_order(group.pointer, order.pointer, context.pointer) == 1 else {
      throw .fromOpenSSL(.failed, name.rawValue)
    }
    coordinateCount = Int((unsafe EC_GROUP_get_degree(group.pointer)) + 7) / 8
    scalarCount = Int((unsafe BN_num_bits(order.pointer)) + 7) / 8
    self.name = name
    self.group = group
    self.context = context
    self.order = order
  }

  /// The number in `bytes` modulo the order.
  public mutating func scalar(reducing bytes: Span<UInt8>) throws(CryptoError) -> SecretBytes {
    let value = try number(bytes)
    let result = try EllipticCurve.number(name)
    try check(unsafe BN_nnmod(result.pointer, value.pointer, order.pointer, context.pointer))
    return try secret(result)
  }

  /// The number in `bytes` modulo (order - 1), plus 1: never zero.
  public mutating func scalar(
    reducingToNonzero bytes: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    let value = try number(bytes)
    let modulus = try EllipticCurve.number(name)
    let result = try EllipticCurve.number(name)
    try check(unsafe BN_sub(modulus.pointer, order.pointer, BN_value_one()))
    try check(unsafe BN_nnmod(result.pointer, value.pointer, modulus.pointer, context.pointer))
    try check(unsafe BN_add(result.pointer, result.pointer, BN_value_one()))
    return try secret(result)
  }

  /// `a * b + c` modulo the order.
  public mutating func multiplyAdd(
    _ a: SecretBytes, _ b: SecretBytes, _ c: SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let a = try number(a)
    let b = try number(b)
    let c = try number(c)
    let result = try EllipticCurve.number(name)
    try check(
      unsafe BN_mod_mul(
        result.pointer, a.pointer, b.pointer, order.pointer, context.pointer))
    try check(
      unsafe BN_mod_add(
        result.pointer, result.pointer, c.pointer, order.pointer, context.pointer))
    return try secret(result)
  }

  /// `scalar * G`.
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` when that is the point at infinity.
  public mutating func publicPoint(of scalar: SecretBytes) throws(CryptoError) -> CurvePoint {
    let scalar = try number(scalar)
    let result = try point()
    try check(
      unsafe EC_POINT_mul(group.pointer, result.pointer, scalar.pointer, nil, nil, context.pointer))
    return try coordinates(of: result)
  }

  /// `scalar * point`.
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` when `point` is not on the curve, or the product
  ///   is the point at infinity.
  public mutating func multiply(
    _ point: CurvePoint, by scalar: SecretBytes
  ) throws(CryptoError) -> CurvePoint {
    let scalar = try number(scalar)
    let factor = try self.point(point)
    let result = try self.point()
    try check(
      unsafe EC_POINT_mul(
        group.pointer, result.pointer, nil, factor.pointer, scalar.pointer, context.pointer))
    return try coordinates(of: result)
  }

  /// `u * point + v * G`.
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` when `point` is not on the curve, or the sum is
  ///   the point at infinity.
  public mutating func multiply(
    _ point: CurvePoint, by u: SecretBytes, addingBaseTimes v: SecretBytes
  ) throws(CryptoError) -> CurvePoint {
    let u = try number(u)
    let v = try number(v)
    let factor = try self.point(point)
    let result = try self.point()
    try check(
      unsafe EC_POINT_mul(
        group.pointer, result.pointer, v.pointer, factor.pointer, u.pointer, context.pointer))
    return try coordinates(of: result)
  }

  /// The point with an x coordinate and the given parity of y.
  ///
  /// - Throws: ``CryptoError`` of kind `invalidKey` when the curve has none.
  public mutating func point(
    x: Span<UInt8>, yIsOdd: Bool
  ) throws(CryptoError) -> CurvePoint {
    guard x.count == coordinateCount else {
      throw CryptoError(.length, "\(name.rawValue) point", detail: "\(coordinateCount) bytes")
    }
    let x = try number(x)
    let result = try point()
    guard
      unsafe EC_POINT_set_compressed_coordinates(
        group.pointer, result.pointer, x.pointer, yIsOdd ? 1 : 0, context.pointer) == 1
    else { throw .fromOpenSSL(.invalidKey, "\(name.rawValue) point") }
    return try coordinates(of: result)
  }

  private static func number(_ name: Name) throws(CryptoError) -> Owned {
    try unsafe Owned(BN_secure_new(), name.rawValue, free: BN_clear_free)
  }

  private func number(_ bytes: Span<UInt8>) throws(CryptoError) -> Owned {
    let result = try EllipticCurve.number(name)
    let filled = unsafe bytes.withPointer {
      unsafe BN_bin2bn($0, Int32(clamping: bytes.count), result.pointer)
    }
    guard unsafe filled != nil else { throw .fromOpenSSL(.failed, name.rawValue) }
    unsafe BN_set_flags(result.pointer, BN_FLG_CONSTTIME)
    return result
  }

  private func number(_ scalar: SecretBytes) throws(CryptoError) -> Owned {
    guard scalar.count == scalarCount else {
      throw CryptoError(
        .length, "\(name.rawValue) scalar", detail: "\(scalarCount) bytes, not \(scalar.count)")
    }
    return try scalar.withBytes { (bytes) throws(CryptoError) in try number(bytes) }
  }

  private func secret(_ number: borrowing Owned) throws(CryptoError) -> SecretBytes {
    var bytes = [UInt8](repeating: 0, count: scalarCount)
    defer { wipe(&bytes) }
    let count = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe BN_bn2binpad(number.pointer, $0.baseAddress, Int32($0.count))
    }
    try check(count == Int32(scalarCount) ? 1 : 0)
    return SecretBytes(copying: bytes.span)
  }

  private func point() throws(CryptoError) -> Owned {
    try unsafe Owned(EC_POINT_new(group.pointer), name.rawValue, free: EC_POINT_clear_free)
  }

  private func point(_ point: CurvePoint) throws(CryptoError) -> Owned {
    guard point.x.count == coordinateCount, point.y.count == coordinateCount else {
      throw CryptoError(.length, "\(name.rawValue) point", detail: "\(coordinateCount) bytes")
    }
    let x = try number(point.x.span)
    let y = try number(point.y.span)
    let result = try self.point()
    guard
      unsafe EC_POINT_set_affine_coordinates(
        group.pointer, result.pointer, x.pointer, y.pointer, context.pointer) == 1
    else { throw .fromOpenSSL(.invalidKey, "\(name.rawValue) point") }
    return result
  }

  private func coordinates(of point: borrowing Owned) throws(CryptoError) -> CurvePoint {
    let x = try EllipticCurve.number(name)
    let y = try EllipticCurve.number(name)
    guard
      unsafe EC_POINT_get_affine_coordinates(
        group.pointer, point.pointer, x.pointer, y.pointer, context.pointer) == 1
    else { throw .fromOpenSSL(.invalidKey, name.rawValue) }
    return CurvePoint(x: coordinate(x), y: coordinate(y))
  }

  private func coordinate(_ number: borrowing Owned) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: coordinateCount)
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      let count = unsafe BN_bn2binpad(number.pointer, buffer.baseAddress, Int32(buffer.count))
      require(count == Int32(buffer.count) ? 1 : 0, "coordinate")
    }
    return bytes
  }

  private func check(_ result: Int32) throws(CryptoError) {
    if result != 1 { throw .fromOpenSSL(.failed, name.rawValue) }
  }
}
