import LunaCrypto
import Testing

struct EllipticCurveTests {
  struct Vector: Sendable {
    let curve: EllipticCurve.Name
    let scalar, x, y: String
  }

  /// k = 2 and 20 of the NIST routines for P-224 and P-256; GEC 2 (SECG), 2.1.2, for secp160r1.
  static let vectors = [
    Vector(
      curve: .p224, scalar: "02",
      x: "706a46dc76dcb76798e60e6d89474788d16dc18032d268fd1a704fa6",
      y: "1c2b76a7bc25e7702a704fa986892849fca629487acf3709d2e4e8bb"),
    Vector(
      curve: .p224, scalar: "14",
      x: "fcc7f2b45df1cd5a3c0c0731ca47a8af75cfb0347e8354eefe782455",
      y: "0d5d7110274cba7cdee90e1a8b0d394c376a5573db6be0bf2747f530"),
    Vector(
      curve: .p256, scalar: "02",
      x: "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
      y: "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1"),
    Vector(
      curve: .p256, scalar: "14",
      x: "83a01a9378395bab9bcd6a0ad03cc56d56e6b19250465a94a234dc4c6b28da9a",
      y: "76e49b6de2f73234ae6a5eb9d612b75c9f2202bb6923f54ff8240aaa86f640b8"),
    Vector(
      curve: .secp160r1, scalar: "aa374ffc3ce144e6b073307972cb6d57b2a4e982",
      x: "51b4496fecc406ed0e75a24a3c03206251419dc0",
      y: "c28dcb4b73a514b468d793894f381ccc1756aa6c"),
  ]

  @Test(arguments: vectors)
  func publicPoints(vector: Vector) throws {
    var curve = try EllipticCurve(vector.curve)
    let bytes = hex(vector.scalar)
    let scalar = try curve.scalar(reducing: bytes.span)
    #expect(scalar.count == curve.scalarCount)
    let point = try curve.publicPoint(of: scalar)
    #expect(point == CurvePoint(x: hex(vector.x), y: hex(vector.y)))
    let isOdd = point.y.last.map { $0 & 1 == 1 } ?? false
    #expect(try curve.point(x: point.x.span, yIsOdd: isOdd) == point)
    let other = try curve.point(x: point.x.span, yIsOdd: !isOdd)
    #expect(other.x == point.x && other.y != point.y)
  }

  @Test(arguments: [EllipticCurve.Name.p224, .p256, .secp160r1])
  func scalarsAndPointsGoTogether(name: EllipticCurve.Name) throws {
    var curve = try EllipticCurve(name)
    let long = (0..<36).map { UInt8($0 * 7 + 1) }
    let a = try curve.scalar(reducing: long.span)
    let b = try curve.scalar(reducingToNonzero: long.span.extracting(3...))
    let c = try curve.scalar(reducing: long.span.extracting(9...))
    let sum = try curve.multiplyAdd(a, b, c)
    let point = try curve.publicPoint(of: b)
    // (a * b + c) * G = a * (b * G) + c * G
    let expected = try curve.publicPoint(of: sum)
    #expect(try curve.multiply(point, by: a, addingBaseTimes: c) == expected)
    let zero = try curve.scalar(reducing: [UInt8]().span)
    let product = try curve.multiplyAdd(a, b, zero)
    let multiple = try curve.publicPoint(of: product)
    #expect(try curve.multiply(point, by: a) == multiple)
  }

  @Test func whatIsNoPointIsRefused() throws {
    var curve = try EllipticCurve(.p224)
    let zero = try curve.scalar(reducing: [UInt8]().span)
    var one = [UInt8](repeating: 0, count: 28)
    one[27] = 1
    let scalar = try curve.scalar(reducing: one.span)
    var error = #expect(throws: CryptoError.self) { try curve.publicPoint(of: zero) }
    #expect(error?.kind == .invalidKey)
    #expect(error?.detail == "point at infinity")
    error = #expect(throws: CryptoError.self) {
      try curve.multiply(CurvePoint(x: one, y: one), by: scalar)
    }
    #expect(error?.kind == .invalidKey)
    error = #expect(throws: CryptoError.self) {
      try curve.multiply(CurvePoint(x: [1], y: [1]), by: scalar)
    }
    #expect(error?.kind == .length)
    error = #expect(throws: CryptoError.self) { try curve.publicPoint(of: secret("01")) }
    #expect(error?.kind == .length)
  }

  @Test func numbersAreReducedByTheOrder() throws {
    var curve = try EllipticCurve(.p224)
    let order = hex("ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d")
    let reduced = try curve.scalar(reducing: order.span)
    #expect(array(reduced) == [UInt8](repeating: 0, count: 28))
    // (n mod (n - 1)) + 1 = 2
    let nonzero = try curve.scalar(reducingToNonzero: order.span)
    #expect(array(nonzero) == [UInt8](repeating: 0, count: 27) + [2])
  }
}
