import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol
import LunaShare
import Testing

struct ShareMessageTests {
  static let rights: [ShareRights] = [
    ShareRights(), ShareRights(status: true),
    ShareRights(ring: RingRight(seconds: 1, perPeriod: 8)), Samples.all,
  ]

  @Test(arguments: rights)
  func sharesComeBack(rights: ShareRights) throws {
    let message = try Samples.message(rights: rights)
    let envelope = try message.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    let (sender, opened) = try Samples.open(envelope)
    #expect(try sender == Samples.key(Samples.anna))
    #expect(opened.share == message.share)
    #expect(opened.serial == 1)
    #expect(opened.issuedAt == message.issuedAt)
    let grant = try #require(opened.grant)
    #expect(grant.name == "Fahrrad")
    #expect(grant.model == "Luna 1")
    #expect(grant.backend == "https://luna.example")
    #expect(grant.clock == message.grant?.clock)
    #expect(grant.periods == message.grant?.periods)
  }

  @Test func endsComeBack() throws {
    var message = try Samples.message(serial: 2)
    message.grant = nil
    let envelope = try message.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    let (_, opened) = try Samples.open(envelope, last: 1)
    #expect(opened.grant == nil)
    #expect(opened.serial == 2)
    #expect(Samples.rejection(envelope, last: 2) == .serial)
    // Who carries both cannot tell whom they are from.
    let other = try message.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    #expect(envelope[8..<56] != other[8..<56])
  }

  @Test func olderOnesAreRefused() throws {
    let envelope = try Samples.message(serial: 5).sealed(
      to: Samples.key(Samples.ben), from: Samples.anna)
    #expect(Samples.rejection(envelope, last: 4) == nil)
    #expect(Samples.rejection(envelope, last: 5) == .serial)
    #expect(Samples.rejection(envelope, last: 6) == .serial)
    let zero = try Samples.message(serial: 0).sealed(
      to: Samples.key(Samples.ben), from: Samples.anna)
    #expect(Samples.rejection(zero) == .serial)
  }

  /// Carl cannot end what Anna shares: what he sends is about a share of his own.
  @Test func endsOfOthersAreAboutTheirs() throws {
    let end = ShareMessage(share: Samples.share, serial: 9, issuedAt: 1, grant: nil)
    // Anna's share with this uuid is further on: of hers it would be an old one, of Carl's it is the first.
    for last in [0, 8, 9, 20] as [Int64] {
      let envelope = try end.sealed(to: Samples.key(Samples.ben), from: Samples.carl)
      #expect(try Samples.open(envelope, last: last).sender == Samples.key(Samples.carl))
      let own = try end.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
      let expected: ShareRejection? = last < 9 ? nil : .serial
      #expect(Samples.rejection(own, last: last) == expected)
    }
  }

  @Test func everyTruncationIsRefused() throws {
    let envelope = try Samples.message(rights: Samples.all).sealed(
      to: Samples.key(Samples.ben), from: Samples.anna)
    for count in 0..<envelope.count {
      let expected: ShareRejection = count < 72 ? .length : .open
      #expect(Samples.rejection(Array(envelope.prefix(count))) == expected)
    }
    #expect(Samples.rejection(envelope + [0]) == .open)
  }

  @Test func everyFlippedByteIsRefused() throws {
    let envelope = try Samples.message(rights: Samples.all).sealed(
      to: Samples.key(Samples.ben), from: Samples.anna)
    for index in envelope.indices {
      var changed = envelope
      changed[index] ^= 0xFF
      let expected: ShareRejection =
        switch index {
        case 0..<8: .magic
        case 8..<16: .recipient
        case 16..<24: .sender
        // Both names depend on it.
        case 24..<56: .recipient
        default: .open
        }
      #expect(Samples.rejection(changed) == expected, "byte \(index)")
    }
  }

  /// Of two faults that is told which is looked for first (SHARING.md, 2).
  @Test func theFirstOfTwoFaultsIsTold() throws {
    // What is in it has no header.
    let envelope = try Samples.envelope(Array("{}".utf8))
    #expect(Samples.rejection(envelope) == .header)
    let places: [(ShareRejection, Int)] = [
      (.magic, 0), (.recipient, 8), (.sender, 16), (.open, 60),
    ]
    for (number, first) in places.enumerated() {
      var changed = envelope
      changed[first.1] ^= 1
      #expect(Samples.rejection(changed) == first.0)
      for second in places[(number + 1)...] {
        var both = changed
        both[second.1] ^= 1
        #expect(Samples.rejection(both) == first.0, "\(first.0) and \(second.0)")
      }
    }
    var short = Array(envelope.prefix(71))
    short[0] ^= 1
    #expect(Samples.rejection(short) == .length)
  }

  @Test func othersCannotOpenIt() throws {
    let envelope = try Samples.message().sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    #expect(Samples.rejection(envelope, as: Samples.carl) == .recipient)
    let stranger = try Samples.message().sealed(
      to: Samples.key(Samples.ben), from: Samples.secret(0x99))
    #expect(Samples.rejection(stranger) == .sender)
  }

  /// Whoever knows the cards can name both, and has no key.
  @Test func keysOfLowOrderAreRefused() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    var envelope = Array("LUNSHAR1".utf8)
    envelope += try Samples.key(Samples.ben).identifier(encapsulated: zero)
    envelope += try Samples.key(Samples.anna).identifier(encapsulated: zero)
    envelope += zero + [UInt8](repeating: 7, count: 40)
    #expect(Samples.rejection(envelope) == .open)
    let none = try #require(ContactKey(zero))
    let error = #expect(throws: ShareError.self) {
      try Samples.message().sealed(to: none, from: Samples.anna)
    }
    #expect(error?.kind == .contact)
  }

  @Test func tooMuchIsRefused() throws {
    var long = Array("LUNSHAR1".utf8)
    long += [UInt8](repeating: 0, count: 5 << 20)
    #expect(Samples.rejection(long) == .length)
    let ring = ShareRights(status: true, ring: RingRight(seconds: 1, perPeriod: 8))
    for (days, isLarge) in [(280, false), (300, true)] {
      let count = days * 86_400 / 1024
      let records = [UInt8](repeating: 1, count: count * ring.recordCount)
      var message = try Samples.message()
      message.grant?.periods = try #require(
        SharedPeriods(
          periods: PeriodRange(first: 1, last: UInt32(count)), rights: ring, until: 1,
          records: SecretBytes(copying: records.span)))
      let large = message
      if isLarge {
        let error = #expect(throws: ShareError.self) {
          try large.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
        }
        #expect(error?.kind == .size)
      } else {
        #expect(
          Samples.rejection(try large.sealed(to: Samples.key(Samples.ben), from: Samples.anna))
            == nil)
      }
    }
    var wordy = try Samples.message()
    wordy.grant?.name = String(repeating: "x", count: 17_000)
    let text = wordy
    let error = #expect(throws: ShareError.self) {
      try text.sealed(to: Samples.key(Samples.ben), from: Samples.anna)
    }
    #expect(error?.kind == .text)
  }
}
