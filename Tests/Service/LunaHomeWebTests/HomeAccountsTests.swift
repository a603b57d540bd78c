import Bluetooth
import Glibc
import LunaCore
import LunaStore
import LunaTesting
import Testing
import WebAccess

@testable import LunaHomeWeb

@Suite("Accounts of a home")
struct HomeAccountsTests {
  private let now = Timestamp(microseconds: 1_800_000_000_000_000)
  private let accounts: HomeAccounts
  private let folder = TestFolder()

  init() async throws {
    accounts = HomeAccounts(try await HomeStore.beside(in: StateDirectory(path: folder.path)))
  }

  private func later(_ seconds: Int) -> Timestamp { now.advanced(by: .seconds(seconds)) }

  private func made(
    _ name: String, _ kind: HomeLinkKind, _ link: RandomSecret, at time: Timestamp? = nil
  ) async throws -> RandomSecret {
    let session = try RandomSecret()
    _ = try await accounts.redeem(
      link, kind, name: name, password: try PasswordHash("correct horse battery"),
      session: session, agent: "test", at: time ?? now)
    return session
  }

  private func owner() async throws -> RandomSecret {
    try await made("ada", .setup, try await accounts.setupLink(at: now))
  }

  @Test("A link is good once, for its time, and for what it was made for")
  func links() async throws {
    let old = try await accounts.setupLink(at: now)
    let link = try await accounts.setupLink(at: now)
    await #expect(throws: HomeAccountRefusal.link) { try await made("ada", .setup, old) }
    await #expect(throws: HomeAccountRefusal.link) { try await made("ada", .join, link) }
    await #expect(throws: HomeAccountRefusal.link) {
      try await made("ada", .setup, link, at: later(601))
    }
    _ = try await made("ada", .setup, link)
    await #expect(throws: HomeAccountRefusal.link) { try await made("bob", .setup, link) }
    // An invitation is for the account that it was made for.
    let invitation = try await accounts.add("bob", .member, at: now)
    await #expect(throws: HomeAccountRefusal.link) { try await made("eve", .join, invitation) }
    _ = try await made("bob", .join, invitation)
    await #expect(throws: HomeAccountRefusal.nameTaken) {
      try await accounts.add("bob", .owner, at: now)
    }
  }

  @Test("What a home says as it starts takes no link from whoever just asked for one")
  func linkOfTheStart() async throws {
    let asked = try await accounts.setupLink(at: now)
    let told = try await accounts.setupLink(at: now, isBesideOthers: true)
    _ = try await made("ada", .setup, asked)
    // There is an account now: nobody who reads the log becomes its owner.
    await #expect(throws: HomeAccountRefusal.link) { try await made("ada", .setup, told) }
    await #expect(throws: HomeAccountRefusal.link) {
      try await accounts.redeem(
        told, for: "ada", session: try RandomSecret(), agent: "test", at: now)
    }
  }

  @Test("A session ends when it is not used, and when its account does")
  func sessions() async throws {
    _ = try await owner()
    let guest = try await accounts.add(
      "gus", .guest, trackers: ["keys"], until: later(3600), at: now)
    let session = try await made("gus", .join, guest)
    let found = try #require(try await accounts.session(session, at: now))
    #expect(found.account.rights.map(\.tracker) == ["keys"] && found.account.role == .guest)
    #expect(try await accounts.session(session, at: later(3601)) == nil)
    let other = try await made("gus", .reset, try await accounts.reset("gus", at: now))
    #expect(try await accounts.session(session, at: now) == nil)
    try await accounts.setRole("gus", .member, trackers: [], until: nil, at: now)
    #expect(try await accounts.session(other, at: now) == nil)
    let last = try await made("gus", .reset, try await accounts.reset("gus", at: now))
    #expect(try await accounts.session(last, at: later(29 * 86_400)) != nil)
    #expect(try await accounts.session(last, at: later(31 * 86_400)) == nil)
    try await accounts.remove("gus")
    #expect(try await accounts.session(last, at: now) == nil)
  }

  @Test("The last owner stays")
  func lastOwner() async throws {
    _ = try await owner()
    // Who cannot sign in yet is no owner who could.
    let link = try await accounts.add("bob", .owner, at: now)
    await #expect(throws: HomeAccountRefusal.lastOwner) { try await accounts.remove("ada") }
    await #expect(throws: HomeAccountRefusal.lastOwner) {
      try await accounts.setRole("ada", .member, trackers: [], until: nil, at: now)
    }
    _ = try await made("bob", .join, link)
    try await accounts.remove("ada")
    #expect(try await accounts.accounts().map(\.name) == ["bob"])
  }

  @Test("A home keeps an owner whose right does not end")
  func lastingOwner() async throws {
    _ = try await owner()
    await #expect(throws: HomeAccountRefusal.lastOwner) {
      try await accounts.setRole("ada", .owner, trackers: [], until: later(3600), at: now)
    }
    // Nothing of it is kept.
    #expect(try await accounts.account("ada")?.until == nil)
    let link = try await accounts.add("bob", .owner, until: later(3600), at: now)
    _ = try await made("bob", .join, link)
    // One who ceases to be one does not stand in for the other.
    for role in HomeRole.allCases where role < .owner {
      await #expect(throws: HomeAccountRefusal.lastOwner) {
        try await accounts.setRole("ada", role, trackers: [], until: nil, at: now)
      }
    }
    await #expect(throws: HomeAccountRefusal.lastOwner) { try await accounts.remove("ada") }
    try await accounts.edit(
      "bob", role: nil, trackers: nil, see: nil, until: .some(nil), at: now)
    try await accounts.setRole("ada", .owner, trackers: [], until: later(3600), at: now)
    #expect(try await accounts.owner()?.name == "bob")
    await #expect(throws: HomeAccountRefusal.lastOwner) { try await accounts.remove("bob") }
    try await accounts.remove("ada")
  }

  @Test("Whose right ends does not become the only owner")
  func firstOwner() async throws {
    await #expect(throws: HomeAccountRefusal.lastOwner) {
      try await accounts.add("bob", .owner, until: later(3600), at: now)
    }
    // The first one may have been invited as a guest.
    _ = try await accounts.add("ada", .guest, until: later(3600), at: now)
    _ = try await owner()
    let account = try #require(try await accounts.account("ada"))
    #expect(account.role == .owner && account.until == nil)
  }

  @Test("What a change does not name stays as it was")
  func changes() async throws {
    _ = try await accounts.add(
      "gus", .guest, trackers: ["keys", "bike"], see: ["car"], until: later(3600), at: now)
    func rights() async throws -> [String: Bool] {
      let rights = try await accounts.account("gus")?.rights ?? []
      return Dictionary(rights.map { ($0.tracker, $0.rings) }) { first, _ in first }
    }
    try await accounts.edit(
      "gus", role: nil, trackers: nil, see: ["bike"], until: nil, at: later(60))
    #expect(try await rights() == ["keys": true, "bike": false])
    try await accounts.edit(
      "gus", role: nil, trackers: ["car"], see: nil, until: nil, at: later(60))
    #expect(try await rights() == ["car": true, "bike": false])
    // Who had one goes on seeing what was since then.
    let since = try await accounts.account("gus")?.rights.map(\.since)
    #expect(since?.contains(now) == true && since?.contains(later(60)) == true)
    #expect(try await accounts.account("gus")?.until == later(3600))
    try await accounts.edit(
      "gus", role: .member, trackers: nil, see: [], until: .some(nil), at: now)
    let account = try #require(try await accounts.account("gus"))
    #expect(account.role == .member && account.until == nil)
    #expect(try await rights() == ["car": true])
    await #expect(throws: HomeAccountRefusal.unknown) {
      try await accounts.edit(
        "eve", role: .member, trackers: nil, see: nil, until: nil, at: now)
    }
  }

  @Test("A code is taken once, and so is a recovery code")
  func codes() async throws {
    _ = try await owner()
    let totp = try OneTimeCode()
    try await accounts.propose(totp, for: "ada")
    let recovery = try RecoveryCode.make()
    let (first, second) = (OneTimeCode.step(at: now), OneTimeCode.step(at: later(30)))
    let digests = try RecoveryCode.digests(recovery)
    #expect(try await !accounts.confirm("nonono", for: "ada", recovery: digests, at: now))
    #expect(
      try await accounts.confirm(
        try totp.code(step: first), for: "ada", recovery: digests, at: now))
    #expect(try await !accounts.use(try totp.code(step: first), of: "ada", at: now))
    #expect(try await accounts.use(try totp.code(step: second), of: "ada", at: later(30)))
    #expect(try await !accounts.use(try totp.code(step: second), of: "ada", at: later(30)))
    #expect(try await accounts.use(recovery[3], of: "ada", at: now))
    #expect(try await !accounts.use(recovery[3], of: "ada", at: now))
  }

  @Test("A token is shown once, and ends at once")
  func tokens() async throws {
    let text = try await accounts.addToken("program", .guest, at: now)
    #expect(try await accounts.token(text)?.role == .guest)
    #expect(try await accounts.token(text + "0") == nil)
    await #expect(throws: HomeAccountRefusal.nameTaken) {
      try await accounts.addToken("program", .owner, at: now)
    }
    try await accounts.revokeToken("program")
    #expect(try await accounts.token(text) == nil)
  }
}
