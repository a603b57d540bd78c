/// The ciphers of HPKE (RFC 9180, 7.3). Only AES-256-GCM is used; the published vectors of X25519 are
/// for the other one, with which they test the key schedule.
enum HPKECipher: UInt16 {
  case aes128GCM = 1
  case aes256GCM = 2

  /// Nk.
  var keyCount: Int { self == .aes128GCM ? 16 : 32 }
}
