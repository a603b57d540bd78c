import LunaCrypto
import Testing

struct CryptoErrorTests {
  @Test func openSSLsReasonIsKept() throws {
    var curve = try EllipticCurve(.p256)
    let x = [UInt8](repeating: 0xFF, count: 32)
    let error = #expect(throws: CryptoError.self) { try curve.point(x: x.span, yIsOdd: false) }
    #expect(error?.kind == .invalidKey)
    #expect(error?.operation == "P-256 point")
    #expect(error?.detail.isEmpty == false)
    #expect(error.map { "\($0)".hasPrefix("P-256 point: invalid key (") } == true)
  }
}
