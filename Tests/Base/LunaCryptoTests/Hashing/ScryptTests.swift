import Diagnosis
import LunaCrypto
import Testing

/// The vectors of RFC 7914, 12, that a test has the time for.
struct ScryptTests {
  @Test(arguments: [
    (
      "", "", Scrypt(cost: 16, blockSize: 1, parallelization: 1),
      "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
    ),
    (
      "password", "NaCl", Scrypt(cost: 1024, blockSize: 8, parallelization: 16),
      "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
    ),
  ])
  func publishedVectors(
    passphrase: String, salt: String, scrypt: Scrypt, expected: String
  ) throws {
    let (passphrase, salt) = (Array(passphrase.utf8), Array(salt.utf8))
    let key = try scrypt.key(passphrase: passphrase.span, salt: salt.span, count: 64)
    #expect(array(key) == hex(expected))
  }

  @Test func memoryIsLimited() {
    let phrase = Array("phrase".utf8)
    let error = #expect(throws: CryptoError.self) {
      try Scrypt.interactive.key(
        passphrase: phrase.span, salt: phrase.span, count: 32, memoryLimit: 1 << 20)
    }
    #expect(error?.operation == "scrypt")
    #expect(error?.detail == "memory limit exceeded")
    #expect(error?.description.contains("phrase") == false)
  }

  @Test func costMustBeAPowerOfTwo() {
    let none: [UInt8] = []
    #expect(throws: CryptoError.self) {
      try Scrypt(cost: 1000, blockSize: 8, parallelization: 1)
        .key(passphrase: none.span, salt: none.span, count: 32)
    }
    #expect(throws: CryptoError.self) {
      try Scrypt.interactive.key(passphrase: none.span, salt: none.span, count: 0)
    }
  }
}
