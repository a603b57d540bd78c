import LunaCrypto
import Testing

struct SecureRandomTests {
  @Test func randomBytesDiffer() throws {
    let (a, b): (InlineArray<16, UInt8>, InlineArray<16, UInt8>) = (
      try SecureRandom.bytes(), try SecureRandom.bytes()
    )
    #expect(array(a) != array(b))
    #expect(try SecureRandom.secret(count: 32) != SecureRandom.secret(count: 32))
    #expect(try SecureRandom.secret(count: 0).count == 0)
  }
}
