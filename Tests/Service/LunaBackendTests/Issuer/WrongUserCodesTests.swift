import Testing

@testable import LunaBackend

/// How many codes somebody may give who approves sign-ins.
@Suite(.timeLimit(.minutes(10))) struct WrongUserCodesTests {
  private func session(_ storage: any Storage) async throws -> Session {
    let accounts = AccountStore(storage)
    let link = try AccountLink(.invitation, at: Samples.now)
    #expect(try await accounts.add("ada", .admin, link, at: Samples.now) == nil)
    let new = try NewSession(method: "password", address: nil, agent: nil)
    #expect(try await accounts.begin(new, account: "ada", after: nil, at: Samples.now))
    return try #require(try await accounts.session(new.secret, at: Samples.now)).session
  }

  private func found(_ codes: WrongUserCodes, _ caller: Caller) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { try await codes.begin(by: caller, at: Samples.now) == nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  @Test(arguments: StorageKind.available)
  func fiveAreLookedForThoughMoreComeAtTheSameMoment(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let codes = WrongUserCodes(storage: storage)
    let ada = Caller(account: "ada", rights: .admin, session: try await session(storage))
    for caller in [ada, Caller(.admin, name: "it")] {
      #expect(try await found(codes, caller) == 5)
      // One of them was right.
      await codes.takeBack(by: caller)
      #expect(try await found(codes, caller) == 1)
      #expect(try await codes.begin(by: caller, at: Samples.later(600)) == nil)
    }
  }
}
