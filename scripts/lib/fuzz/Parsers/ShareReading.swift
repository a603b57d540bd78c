import LunaCore
import LunaCrypto
import LunaProtocol
import LunaShare

/// What people send who share trackers: cards, envelopes, and what a contact may seal into one. The
/// first byte chooses.
enum ShareReading {
  private static func secret(_ first: UInt8) -> SecretBytes {
    let bytes = (0..<32).map { first &+ $0 }
    return SecretBytes(copying: bytes.span)
  }

  static func run(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let bytes = Array(bytes.dropFirst())
    switch kind % 4 {
    case 0:
      guard let card = try? ContactCard(text: String(decoding: bytes, as: UTF8.self)) else {
        return
      }
      precondition((try? ContactCard(text: card.text)) == card, "a card that changes")
    case 1:
      guard let card = try? ContactCard(bytes: bytes) else { return }
      precondition(card.bytes == bytes, "a card that is written otherwise")
    case 2: open(bytes)
    default: read(SecretBytes(copying: bytes.span))
    }
  }

  /// An envelope as it comes. The vectors' sender has sealed some of the seeds; a contact without
  /// whose key nobody can make a good one has sealed none.
  private static func open(_ envelope: [UInt8]) {
    guard let sender = try? ContactKey(of: secret(64)), let other = try? ContactKey(of: secret(65))
    else { return }
    _ = try? ShareMessage.open(envelope, to: secret(0), from: [sender]) { _, _ in 0 }
    let opened = try? ShareMessage.open(envelope, to: secret(0), from: [other]) { _, _ in 0 }
    precondition(opened == nil, "an envelope of nobody was opened")
  }

  /// What a contact has sealed.
  private static func read(_ plaintext: SecretBytes) {
    guard let message = try? ShareMessage(plaintext: plaintext),
      let shared = message.grant?.periods, var heids = try? ReportKeyDeriver()
    else { return }
    for period in [0, shared.periods.first, shared.periods.last, .max] {
      let isThere = shared.periods.contains(period)
      precondition((shared.eid(period) != nil) == isThere, "a period too many or too few")
      precondition((shared.aotp(period) != nil) == isThere, "a period too many or too few")
      for time in [nil, 0, 1024 * Int64(period), .max] {
        let package = shared.ringPackage(period, at: time, heids: &heids)
        precondition((package != nil) == (isThere && shared.rights.ring != nil), "a ring")
        if let package { precondition(package.counter / 1024 == period, "a counter") }
      }
    }
  }
}
