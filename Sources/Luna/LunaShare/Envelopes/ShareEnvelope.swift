public import LunaCrypto

/// A share on its way: sealed for one person, by one person (SHARING.md, 2).
///
/// `LUNSHAR1 | kid(recipient) 8 | kid(sender) 8 | enc 32 | ciphertext`, by HPKE in mode_auth.
public enum ShareEnvelope {
  /// The most bytes that a share has and that are read: 4 MiB.
  public static let limit = 4 << 20
  /// The most bytes of one that is shown as a QR code.
  package static let codeLimit = 2_900
  /// What it begins with.
  static let magic = Array("LUNSHAR1".utf8)
  /// The bytes before the ciphertext.
  static let headCount = 56

  private static let info = Array("luna/1/share".utf8)

  /// Seals a plaintext.
  ///
  /// - Parameters:
  ///   - sender: the sender's private key.
  ///   - ephemeral: a private key that is used for this alone.
  /// - Throws: ``LunaCrypto/CryptoError``, of kind `invalidKey` when the recipient's key is of low order.
  public static func seal(
    _ plaintext: Span<UInt8>, to recipient: ContactKey, from sender: SecretBytes,
    ephemeral: SecretBytes
  ) throws(CryptoError) -> [UInt8] {
    let encapsulated = try ContactKey(of: ephemeral).bytes
    var envelope = magic
    envelope += try recipient.identifier(encapsulated: encapsulated)
    envelope += try ContactKey(of: sender).identifier(encapsulated: encapsulated)
    envelope += encapsulated
    let key = recipient.bytes
    let sealed = try HPKE.seal(
      plaintext, to: key.span, from: sender, ephemeral: ephemeral, info: info.span,
      associatedData: envelope.span)
    return envelope + sealed
  }

  /// Opens an envelope.
  ///
  /// - Parameters:
  ///   - recipient: one's own private key.
  ///   - senders: those from whom envelopes are taken.
  /// - Returns: who sent it, and the plaintext.
  /// - Throws: the first test that failed.
  public static func open(
    _ envelope: [UInt8], to recipient: SecretBytes, from senders: [ContactKey]
  ) throws(ShareRejection) -> (sender: ContactKey, plaintext: SecretBytes) {
    guard headCount + HPKE.tagCount...limit ~= envelope.count else { throw .length }
    guard envelope.starts(with: magic) else { throw .magic }
    let encapsulated = Array(envelope[24..<headCount])
    let own = try? ContactKey(of: recipient).identifier(encapsulated: encapsulated)
    guard own?.elementsEqual(envelope[8..<16]) == true else { throw .recipient }
    let named = envelope[16..<24]
    guard
      let sender = senders.first(where: {
        (try? $0.identifier(encapsulated: encapsulated))?.elementsEqual(named) ?? false
      })
    else { throw .sender }
    let key = sender.bytes
    let head = Array(envelope[..<headCount])
    do throws(CryptoError) {
      return (
        sender,
        try HPKE.open(
          envelope.span.extracting(headCount...), encapsulated: encapsulated.span, to: recipient,
          from: key.span, info: info.span, associatedData: head.span)
      )
    } catch {
      throw .open
    }
  }
}
