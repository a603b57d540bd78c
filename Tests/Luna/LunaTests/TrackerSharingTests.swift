import Bluetooth
import Luna
import LunaCrypto
import LunaShare
import LunaTesting
import Testing

/// Cards and shares between two people, as commands and homes make and take them.
struct TrackerSharingTests {
  private struct Person {
    let folder = TestFolder()
    let store: SQLiteDeviceStore
    let sharing: TrackerSharing

    init() throws {
      store = try SQLiteDeviceStore(in: StateDirectory(path: folder.path))
      sharing = TrackerSharing(
        store: store, owner: LunaOwner(store: store), backend: "https://luna.example")
    }

    func makeCard(_ name: String) async throws -> ContactCard {
      let card = try await sharing.makeCard(name: name, withNewKey: false)
      return try #require(card)
    }

    func add(_ card: ContactCard, as name: String) async throws -> ContactRow {
      let row = ContactRow(
        name: name, email: "", key: card.key.bytes, isVerified: true, addedAt: 1)
      try await store.put(row)
      return row
    }

    func key() async throws -> SecretBytes {
      let own = try await store.contactKey()
      return try #require(own?.key)
    }

    func envelope(of share: SentShareRow) async throws -> [UInt8] {
      try await sharing.envelope(of: share, from: try await key())
    }

    func open(_ envelope: [UInt8]) async throws -> OpenedShare {
      try await sharing.open(envelope, as: try await key())
    }
  }

  private let now = Timestamp(microseconds: 1_780_000_000_000_000)
  private let end: Int64 = 1_780_000_000 + 3 * 86_400
  private let anna: Person
  private let ben: Person

  init() throws {
    anna = try Person()
    ben = try Person()
  }

  /// Both have each other's card, and Anna shares her bike.
  private func share() async throws -> SentShareRow {
    let bike = Device(
      uuid: DeviceUUID(high: 1, low: 2), masterKey: MasterKey(bytes: InlineArray { UInt8($0) }),
      onboardingTimestamp: now, name: "bike")
    try await anna.store.put(bike)
    let contact = try await anna.add(try await ben.makeCard("Ben"), as: "ben")
    _ = try await ben.add(try await anna.makeCard("Anna"), as: "anna")
    return try await anna.sharing.share(
      bike, with: contact, ShareRights(status: true),
      from: Timestamp(unixMilliseconds: now.unixMilliseconds - 86_400_000), until: end, at: now)
  }

  @Test func aShareIsTakenRenewedAndEnded() async throws {
    var share = try await share()
    // It was not hers a day ago.
    #expect(share.periods.first == 1_780_000_000 / 1024)
    let envelope = try await anna.envelope(of: share)
    let opened = try await ben.open(envelope)
    #expect(opened.contact == "anna" && opened.former == nil)
    #expect(opened.message.grant?.backend == "https://luna.example")
    let device = try #require(try await ben.sharing.take(opened, at: now).device)
    #expect(device.name == "bike of anna")
    #expect(device.shared?.rights == ShareRights(status: true))
    #expect(try await ben.store.allDevices() == [device])
    await #expect(throws: ShareRejection.serial) { _ = try await ben.open(envelope) }
    await #expect(throws: ShareRejection.serial) { _ = try await ben.sharing.take(opened, at: now) }

    share = try await anna.sharing.renewed(share, until: end + 86_400, at: now)
    #expect(share.serial == 2)
    let longer = try await ben.sharing.take(
      try await ben.open(try await anna.envelope(of: share)), at: now)
    #expect(longer.row.until == end + 86_400)
    #expect(longer.device?.uuid == device.uuid)

    share = anna.sharing.ended(share, at: now)
    let last = try await ben.open(try await anna.envelope(of: share))
    #expect(last.message.grant == nil && last.former?.device == device.uuid)
    #expect(try await ben.sharing.take(last, at: now).device == nil)
    #expect(try await ben.store.allDevices() == [])
    let error = await #expect(throws: ShareError.self) {
      _ = try await anna.sharing.renewed(share, until: end, at: now)
    }
    #expect(error?.kind == .ended)
  }

  @Test func whatOneCallsItOneselfStays() async throws {
    let share = try await share()
    let device = try #require(
      try await ben.sharing.take(try await ben.open(try await anna.envelope(of: share)), at: now)
        .device)
    #expect(try await ben.store.rename(device.uuid, to: "her bike"))
    let longer = try await anna.sharing.renewed(share, until: end + 86_400, at: now)
    let taken = try await ben.sharing.take(
      try await ben.open(try await anna.envelope(of: longer)), at: now)
    #expect(taken.device?.name == "her bike")
    #expect(try await ben.store.allDevices().map(\.name) == ["her bike"])
  }

  /// One that was made before the end, lasts longer than what was here and was left in a mailbox.
  @Test func whatComesAfterTheEndBringsNothingBack() async throws {
    let share = try await share()
    _ = try await ben.sharing.take(try await ben.open(try await anna.envelope(of: share)), at: now)
    let longer = try await anna.sharing.renewed(share, until: end + 9 * 86_400, at: now)
    let left = try await anna.envelope(of: longer)
    let last = try await anna.envelope(of: anna.sharing.ended(longer, at: now))
    #expect(try await ben.sharing.take(try await ben.open(last), at: now).device == nil)
    // What was here would be over by now.
    for time in [end, end + 9 * 86_400 - 1] {
      try await ben.store.wipeEndedShares(at: time)
      await #expect(throws: ShareRejection.serial) { _ = try await ben.open(left) }
    }
    // It is not remembered for ever.
    let over = now.unixMilliseconds / 1000 + TrackerSharing.longest
    #expect(try await ben.store.wipeEndedShares(at: over) == 1)
    #expect(try await ben.store.receivedShares().isEmpty)
  }

  /// One that lasts longer than what was made after it, and was left in a mailbox.
  @Test func whatWasMadeShorterIsNotBroughtBack() async throws {
    let longer = try await share()
    let left = try await anna.envelope(of: longer)
    _ = try await ben.sharing.take(try await ben.open(left), at: now)
    let shorter = try await anna.sharing.renewed(longer, until: end - 86_400, at: now)
    let taken = try await ben.sharing.take(
      try await ben.open(try await anna.envelope(of: shorter)), at: now)
    #expect(taken.row.until == end - 86_400)
    #expect(try await ben.store.wipeEndedShares(at: end - 86_400) == 1)
    #expect(try await ben.store.allDevices().isEmpty)
    await #expect(throws: ShareRejection.serial) { _ = try await ben.open(left) }
    let over = now.unixMilliseconds / 1000 + TrackerSharing.longest
    #expect(try await ben.store.wipeEndedShares(at: over - 1) == 0)
    #expect(try await ben.store.wipeEndedShares(at: over) == 1)
    #expect(try await ben.store.receivedShares().isEmpty)
  }

  /// A share is of who has sent it: whatever Carl says of one with this uuid is about one of his.
  @Test(arguments: [1, 9] as [Int64])
  func nobodyElseEndsAShareOrTakesItsPlace(serial: Int64) async throws {
    var share = try await share()
    let opened = try await ben.open(try await anna.envelope(of: share))
    let device = try #require(try await ben.sharing.take(opened, at: now).device)
    let carl = try Person()
    _ = try await ben.add(try await carl.makeCard("Carl"), as: "carl")
    let recipient = try ContactKey(of: try await ben.key())
    func sent(_ serial: Int64, _ grant: ShareGrant?) async throws -> OpenedShare {
      let message = ShareMessage(
        share: share.share, serial: serial, issuedAt: share.issuedAt, grant: grant)
      return try await ben.open(
        try message.sealed(to: recipient, from: try await carl.key()))
    }
    let end = try await sent(serial, nil)
    #expect(end.contact == "carl" && end.former == nil)
    let taken = try await ben.sharing.take(end, at: now)
    #expect(taken.device == nil && taken.row.device == nil)
    #expect(try await ben.store.allDevices() == [device])
    let grant = try #require(opened.message.grant)
    let other = try await ben.sharing.take(try await sent(serial + 1, grant), at: now)
    #expect(other.device?.uuid != device.uuid)
    #expect(try await ben.store.allDevices().first == device)
    #expect(try await ben.sharing.take(try await sent(serial + 2, nil), at: now).device == nil)
    #expect(try await ben.store.allDevices() == [device])
    #expect(try await Set(ben.store.receivedShares().map(\.serial)) == [1, serial + 2])
    // Anna's own is not behind his.
    share = anna.sharing.ended(share, at: now)
    #expect(share.serial == 2)
    let last = try await ben.open(try await anna.envelope(of: share))
    #expect(try await ben.sharing.take(last, at: now).device == nil)
    #expect(try await ben.store.allDevices().isEmpty)
  }

  @Test func aShareIsDueAfterTwentyDaysOrBeforeItIsOver() async throws {
    var share = try await share()
    func isDue(_ seconds: Int64) -> Bool {
      anna.sharing.isDue(
        share, at: Timestamp(unixMilliseconds: (share.issuedAt + seconds) * 1000))
    }
    #expect(!isDue(10 * 86_400))
    share.isRenewed = true
    // It lasts three days.
    #expect(!isDue(2 * 86_400 - 1) && isDue(2 * 86_400))
    share.until = share.issuedAt + 30 * 86_400
    #expect(!isDue(20 * 86_400 - 1) && isDue(20 * 86_400))
    // A home that was off for long goes on.
    let late = Timestamp(unixMilliseconds: (share.issuedAt + 40 * 86_400) * 1000)
    let next = try await anna.sharing.renewed(share, at: late)
    #expect(next.until - next.issuedAt == 30 * 86_400 && next.serial == 2 && next.isRenewed)
    share = anna.sharing.ended(share, at: now)
    #expect(!isDue(40 * 86_400))
  }

  @Test func whatIsOverIsNotTaken() async throws {
    let opened = try await ben.open(try await anna.envelope(of: try await share()))
    let error = await #expect(throws: ShareError.self) {
      _ = try await ben.sharing.take(opened, at: Timestamp(unixMilliseconds: end * 1000))
    }
    #expect(error?.kind == .ended)
    #expect(try await ben.store.allDevices() == [])
  }

  @Test func aTrackerThatIsGoneIsOnlyEnded() async throws {
    let share = try await share()
    _ = try await anna.store.forget(share.tracker)
    let error = await #expect(throws: ShareError.self) { _ = try await anna.envelope(of: share) }
    #expect(error?.kind == .foreignDevice)
    #expect(try await !anna.envelope(of: anna.sharing.ended(share, at: now)).isEmpty)
  }

  @Test func whatIsSharedIsNotSharedOn() async throws {
    let opened = try await ben.open(try await anna.envelope(of: try await share()))
    let device = try #require(try await ben.sharing.take(opened, at: now).device)
    let contact = try #require(try await ben.store.contacts().first)
    let error = await #expect(throws: ShareError.self) {
      _ = try await ben.sharing.share(
        device, with: contact, ShareRights(), from: now, until: end, at: now)
    }
    #expect(error?.kind == .foreignDevice)
  }

  @Test func backendsAreCompared() {
    #expect(ben.sharing.otherBackend(than: "https://luna.example") == nil)
    #expect(ben.sharing.otherBackend(than: "HTTPS://Luna.example/") == nil)
    // Who has none asks for nothing.
    #expect(ben.sharing.otherBackend(than: "") == nil)
    #expect(ben.sharing.otherBackend(than: "https://other.example") == "https://other.example")
    // Others wrote it.
    let hostile = ben.sharing.otherBackend(than: "https://\u{1B}[2J\u{202E}/")
    #expect(hostile == #"https://\x1b[2J\u202e/"#)
    let long = String(repeating: "x", count: 9_000)
    #expect(ben.sharing.otherBackend(than: long)?.utf8.count == 200)
  }

  @Test func onePersonHasOneName() async throws {
    let (own, other) = (try await anna.makeCard("Anna"), try await ben.makeCard("Ben"))
    #expect(try await anna.sharing.conflict(of: own, named: "me") == .ownCard)
    #expect(try await anna.sharing.conflict(of: other, named: "ben") == nil)
    _ = try await anna.add(other, as: "ben")
    #expect(try await anna.sharing.conflict(of: other, named: "benno") == .card(of: "ben"))
    let third = try await Person().makeCard("Carl")
    #expect(try await anna.sharing.conflict(of: third, named: "ben") == .name)
  }

  @Test func anotherNameKeepsTheKey() async throws {
    #expect(try await anna.sharing.card() == nil)
    let card = try await anna.makeCard("Anna")
    #expect(try await anna.makeCard("Anna B.").key == card.key)
    #expect(try await anna.sharing.card()?.name == "Anna B.")
    #expect(try await anna.sharing.makeCard(name: "", withNewKey: true) == nil)
    #expect(try await anna.sharing.card()?.key == card.key)
    let new = try await anna.sharing.makeCard(name: "Anna", withNewKey: true)
    #expect(try await anna.sharing.card() == new)
    #expect(new?.key != card.key)
  }
}
