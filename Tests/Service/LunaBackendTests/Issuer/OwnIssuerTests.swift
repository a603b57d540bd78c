import Bluetooth
import LunaFleet
import Testing

@testable import LunaBackend

/// What every storage does for the own issuer.
@Suite("The own issuer", .timeLimit(.minutes(10)))
struct OwnIssuerTests {
  private static let start = Timestamp(microseconds: 1_800_000_000_000_000)

  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(microseconds: Self.start.microseconds + seconds * 1_000_000)
  }

  private func issuer(_ place: StoragePlace, accounts: String...) async throws -> OwnIssuer {
    let storage = try await place.prepared()
    for account in accounts {
      _ = try await storage.transaction { rows throws(StorageError) in
        try rows.change(
          "INSERT INTO luna.accounts(name, role, created) VALUES($1, 'operator', 0)",
          [.text(account)])
      }
    }
    return OwnIssuer(storage: storage)
  }

  /// Signs a program in.
  private func signIn(
    _ issuer: OwnIssuer, as holder: IssuedHolder = .gateway(key: "kitchen"), at second: Int64 = 0
  ) async throws -> IssuedTokens {
    let begun = try await issuer.begin(
      holder.scope, client: "luna", from: "192.0.2.1", at: time(second))
    let (device, code) = try #require(begun)
    _ = try #require(try await issuer.decide(code, as: holder, at: time(second)))
    return try #require(
      tokens(try await issuer.answer(device, client: "luna", at: time(second))))
  }

  private func tokens(_ answer: DeviceAnswer) -> IssuedTokens? {
    if case .tokens(let tokens) = answer { tokens } else { nil }
  }

  private func tokens(_ answer: OwnIssuer.RefreshAnswer) -> IssuedTokens? {
    if case .tokens(let tokens) = answer { tokens } else { nil }
  }

  private func refresh(
    _ issuer: OwnIssuer, _ tokens: IssuedTokens, at second: Int64
  ) async throws -> IssuedTokens? {
    self.tokens(try await issuer.refresh(tokens.refresh, client: "luna", at: time(second)))
  }

  private func word(_ answer: DeviceAnswer) -> String {
    switch answer {
    case .tokens: "tokens"
    case .pending: "pending"
    case .slowDown: "slowDown"
    case .denied: "denied"
    case .expired: "expired"
    case .unknown: "unknown"
    case .reuse: "reuse"
    }
  }

  @Test(arguments: StorageKind.available)
  func gatewayThatWasRemoved(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    let fleet = FleetStore(storage: issuer.storage)
    let gateway = try await fleet.change(by: "ann", at: time(0)) { work throws(FleetFailure) in
      try work.adopt("attic")
    }
    _ = try await fleet.change(by: "ann", at: time(1)) { work throws(FleetFailure) in
      try work.remove(gateway.id)
    }
    let begun = try await issuer.begin(
      .gateway(key: "attic"), client: "luna", from: nil, at: time(2))
    let (_, code) = try #require(begun)
    var decision = SignInDecision()
    decision.mayAddGateways = true
    #expect(try await issuer.decide(code, decision, at: time(3)) == .wasRemoved("attic"))
    // It waits still, and can be another one.
    let waiting = try #require(try await issuer.waiting(code, at: time(4)))
    decision.key = "hall"
    #expect(
      try await issuer.decide(code, decision, at: time(5))
        == .approved(waiting, .gateway(key: "hall")))
  }

  @Test(arguments: StorageKind.available)
  func codeThatIsApproved(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    let begun = try await issuer.begin(
      .gateway(key: nil), client: "luna", from: "192.0.2.1", at: time(0))
    let (device, code) = try #require(begun)
    #expect(word(try await issuer.answer(device, client: "luna", at: time(5))) == "pending")
    #expect(word(try await issuer.answer(device, client: "luna", at: time(6))) == "slowDown")
    #expect(word(try await issuer.answer(device, client: "other", at: time(20))) == "unknown")
    let waiting = try #require(try await issuer.waiting(code, at: time(20)))
    #expect(waiting.scope == .gateway(key: nil))
    #expect(waiting.address == "192.0.2.1")
    #expect(waiting.createdAt == time(0))
    #expect(try await issuer.decide(code, as: .gateway(key: "kitchen"), at: time(20)) == waiting)
    // Once.
    #expect(try await issuer.decide(code, as: .gateway(key: "attic"), at: time(20)) == nil)
    #expect(try await issuer.waiting(code, at: time(20)) == nil)
    let tokens = try #require(
      self.tokens(try await issuer.answer(device, client: "luna", at: time(21))))
    #expect(tokens.holder == .gateway(key: "kitchen"))
    #expect(try await issuer.holder(of: tokens.access, at: time(22)) == tokens.holder)
    #expect(try await issuer.holder(of: tokens.access, at: time(21 + 3600)) == nil)
  }

  /// The answer with the first tokens may be lost, as that with the next ones.
  @Test(arguments: StorageKind.available)
  func codeWhoseAnswerIsLost(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)

    func approved() async throws -> IssuedToken {
      let begun = try await issuer.begin(
        .gateway(key: nil), client: "luna", from: "192.0.2.1", at: time(0))
      let (device, code) = try #require(begun)
      _ = try #require(try await issuer.decide(code, as: .gateway(key: "kitchen"), at: time(0)))
      return device
    }

    func ask(_ device: IssuedToken, at second: Int64) async throws -> IssuedTokens? {
      tokens(try await issuer.answer(device, client: "luna", at: time(second)))
    }

    // As often as it takes; what was lost opens nothing.
    let device = try await approved()
    var lost: [IssuedTokens] = []
    for second in 1...5 { lost.append(try #require(try await ask(device, at: Int64(second)))) }
    let got = try #require(try await ask(device, at: 10))
    for tokens in lost {
      #expect(try await issuer.holder(of: tokens.access, at: time(11)) == nil)
      #expect(try await refresh(issuer, tokens, at: 11) == nil)
    }
    #expect(try await issuer.holder(of: got.access, at: time(12)) == .gateway(key: "kitchen"))
    // It is used: two hold the code.
    #expect(word(try await issuer.answer(device, client: "luna", at: time(13))) == "reuse")
    #expect(try await issuer.holder(of: got.access, at: time(14)) == nil)
    #expect(word(try await issuer.answer(device, client: "luna", at: time(15))) == "unknown")
    // So it is once they were renewed.
    let second = try await approved()
    let first = try #require(try await ask(second, at: 20))
    let next = try #require(try await refresh(issuer, first, at: 21))
    #expect(word(try await issuer.answer(second, client: "luna", at: time(22))) == "reuse")
    #expect(try await refresh(issuer, next, at: 23) == nil)
    // Of another program, or too late, it is none; and nothing ends because of that.
    let third = try await approved()
    let kept = try #require(try await ask(third, at: 30))
    #expect(word(try await issuer.answer(third, client: "other", at: time(31))) == "unknown")
    #expect(word(try await issuer.answer(third, client: "luna", at: time(601))) == "unknown")
    #expect(try await issuer.holder(of: kept.access, at: time(602)) == .gateway(key: "kitchen"))
  }

  @Test(arguments: StorageKind.available)
  func codeThatIsRefusedOrTooOld(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    func begin() async throws -> (device: IssuedToken, code: UserCode) {
      let begun = try await issuer.begin(.owner, client: "luna", from: nil, at: time(0))
      return try #require(begun)
    }
    let refused = try await begin()
    #expect(try await issuer.decide(refused.code, as: nil, at: time(1)) != nil)
    #expect(word(try await issuer.answer(refused.device, client: "luna", at: time(5))) == "denied")
    let old = try await begin()
    #expect(try await issuer.waiting(old.code, at: time(600)) == nil)
    #expect(try await issuer.decide(old.code, as: .gateway(key: "x"), at: time(600)) == nil)
    #expect(word(try await issuer.answer(old.device, client: "luna", at: time(600))) == "expired")
  }

  @Test(arguments: StorageKind.available)
  func atMostAThousandWait(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    for _ in 0..<1000 {
      let begun = try await issuer.begin(.account, client: "luna", from: nil, at: time(0))
      #expect(begun != nil)
    }
    #expect(try await issuer.begin(.account, client: "luna", from: nil, at: time(599)) == nil)
    #expect(try await issuer.begin(.account, client: "luna", from: nil, at: time(600)) != nil)
  }

  @Test(arguments: StorageKind.available)
  func lostAnswersAreForgivenAndReuseEndsTheFamily(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    let first = try await signIn(issuer)
    let lost = try #require(try await refresh(issuer, first, at: 10))
    let second = try #require(try await refresh(issuer, first, at: 20))
    // Who has got the lost answer all the same has nothing of it.
    #expect(try await issuer.holder(of: lost.access, at: time(21)) == nil)
    // That of before holds on: others are using it.
    #expect(try await issuer.holder(of: first.access, at: time(21)) == first.holder)
    #expect(try await refresh(issuer, first, at: 22) != nil)
    let third = try #require(try await refresh(issuer, first, at: 23))
    #expect(try await issuer.holder(of: third.access, at: time(24)) == first.holder)
    // The answer has arrived; the one before is used up.
    guard
      case .reuse(let holder) = try await issuer.refresh(
        first.refresh, client: "luna", at: time(25))
    else {
      Issue.record("it was taken")
      return
    }
    #expect(holder == first.holder)
    for tokens in [first, second, third] {
      #expect(try await issuer.holder(of: tokens.access, at: time(26)) == nil)
      #expect(try await refresh(issuer, tokens, at: 26) == nil)
    }
  }

  @Test(arguments: StorageKind.available)
  func oldTokensEndTheFamilyToo(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    var tokens = try await signIn(issuer)
    let first = tokens
    for number in 1...10 {
      tokens = try #require(try await refresh(issuer, tokens, at: Int64(number)))
    }
    #expect(try await refresh(issuer, first, at: 20) == nil)
    #expect(try await refresh(issuer, tokens, at: 21) == nil)
    // Another sign-in has nothing to do with it.
    let other = try await signIn(issuer, at: 22)
    #expect(try await refresh(issuer, other, at: 23) != nil)
  }

  @Test(arguments: StorageKind.available)
  func endsUnused(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place, accounts: "ada")
    let day: Int64 = 86_400
    let gateway = try await signIn(issuer)
    let person = try await signIn(issuer, as: .account("ada"))
    let next = try #require(try await refresh(issuer, person, at: 89 * day))
    #expect(try await refresh(issuer, next, at: 179 * day) == nil)
    #expect(try await refresh(issuer, gateway, at: 399 * day) != nil)
    try await AccountStore(issuer.storage).prune(at: time(900 * day))
    #expect(try await refresh(issuer, gateway, at: 0) == nil)
  }

  @Test(arguments: StorageKind.available)
  func endsWithTheAccountButNotTheGateway(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place, accounts: "ada")
    let account = try await signIn(issuer, as: .account("ada"))
    let owner = try await signIn(issuer, as: .owner(account: "ada"))
    let gateway = try await signIn(issuer)
    _ = try await issuer.storage.transaction { rows throws(StorageError) in
      try rows.change("DELETE FROM luna.accounts WHERE name = 'ada'")
    }
    #expect(try await issuer.holder(of: account.access, at: time(1)) == nil)
    #expect(try await issuer.holder(of: owner.access, at: time(1)) == nil)
    #expect(try await refresh(issuer, account, at: 1) == nil)
    #expect(try await issuer.holder(of: gateway.access, at: time(1)) == gateway.holder)
  }

  @Test(arguments: StorageKind.available)
  func revokes(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    let tokens = try await signIn(issuer)
    try await issuer.revoke("luna-access-nothing", at: time(1))
    try await issuer.revoke(tokens.access.text, at: time(1))
    #expect(try await issuer.holder(of: tokens.access, at: time(2)) == nil)
    let next = try #require(try await refresh(issuer, tokens, at: 3))
    try await issuer.revoke(next.refresh.text, at: time(4))
    #expect(try await issuer.holder(of: next.access, at: time(5)) == nil)
    #expect(try await refresh(issuer, next, at: 5) == nil)
  }

  @Test(arguments: StorageKind.available)
  func demoOnlyWithoutAccounts(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let issuer = try await issuer(place)
    let demo = try #require(try await issuer.signInToDemo(client: "luna", at: time(0)))
    #expect(try await issuer.holder(of: demo.access, at: time(1)) == .demo)
    _ = try await issuer.storage.transaction { rows throws(StorageError) in
      try rows.change(
        "INSERT INTO luna.accounts(name, role, created) VALUES('ada', 'admin', 0)")
    }
    #expect(try await issuer.signInToDemo(client: "luna", at: time(2)) == nil)
  }

  @Test("Of many who refresh one token at once all get tokens, and one of them is the last")
  func manyAtOnce() async throws {
    let place = try StoragePlace(.sqlite)
    let issuer = try await issuer(place)
    let first = try await signIn(issuer)
    let all = try await withThrowingTaskGroup(of: IssuedTokens?.self) { group in
      for _ in 0..<20 { group.addTask { try await refresh(issuer, first, at: 1) } }
      var all: [IssuedTokens] = []
      for try await tokens in group { all.append(try #require(tokens)) }
      return all
    }
    var good = 0
    for tokens in all where try await issuer.holder(of: tokens.access, at: time(2)) != nil {
      good += 1
    }
    #expect(good == 1)
  }
}
