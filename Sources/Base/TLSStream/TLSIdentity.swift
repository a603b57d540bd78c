/// What a server shows and proves, whatever name it is asked for: files in PEM.
package struct TLSIdentity: Hashable, Sendable {
  /// The certificate, and those between it and its authority.
  package let certificateFile: String
  /// Its key.
  package let keyFile: String

  package init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}
