import Bluetooth
package import HTTPServer
package import LunaCrypto

extension Asset {
  /// A file whose version is told by what is in it: by 16 bytes of its SHA-256.
  ///
  /// - Throws: when libcrypto offers no SHA-256.
  package init(_ mediaType: String, hashing body: [UInt8]) throws(CryptoError) {
    let digest = try SHA256.digest(of: body.span)
    self.init(mediaType, body, version: Hex.lower(digest.indices.prefix(16).map { digest[$0] }))
  }
}
