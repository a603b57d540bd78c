import LunaCrypto

extension SecretBytes {
  /// The bytes behind a text, and a zero byte.
  func line(after text: String = "") -> SecretBytes {
    withBytes { secret in
      var bytes = [UInt8]()
      // At once: an array that grows leaves what it held behind.
      bytes.reserveCapacity(text.utf8.count + secret.count + 1)
      bytes += text.utf8
      for index in secret.indices { bytes.append(secret[index]) }
      bytes.append(0)
      defer { wipe(&bytes) }
      return SecretBytes(copying: bytes.span)
    }
  }
}
