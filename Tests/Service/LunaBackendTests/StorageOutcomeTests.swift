import Bluetooth
import LunaCore
import Testing

@testable import LunaBackend

/// What every storage does with requests that come again.
@Suite(.timeLimit(.minutes(10))) struct StorageOutcomeTests {
  private static let make: @Sendable (String) throws(StorageError) -> TokenRecord = {
    name throws(StorageError) in
    try AccessToken(.gateway).record(name: name, at: Samples.now)
  }

  @Test func aKeyIsOfAllThatMakesTheRequest() throws {
    func digest(_ role: String, _ holder: String, _ key: String, _ body: [UInt8]) throws -> [UInt8]
    {
      try OutcomeKey(role, holder: holder, key: key, body: body).digest
    }
    let digests = [
      try digest("owner", "me", "k", [1]), try digest("owner", "me", "k", [2]),
      try digest("owner", "me", "l", [1]), try digest("owner", "you", "k", [1]),
      try digest("enrolment", "me", "k", [1]), try digest("owner", "mek", "", [1]),
      try digest("owner", "me", "", [107, 1]),
    ]
    #expect(Set(digests).count == digests.count)
    #expect(try digest("owner", "me", "k", [1]) == digests[0])
  }

  @Test(arguments: StorageKind.available)
  func aRepeatedCommandIsOne(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let key = try Samples.key("a")
    let first = try Samples.command([Samples.package(1)])
    #expect(try await storage.submit(first, as: key, openLimit: 1) == first.id)
    // Also by the same attempt, which cannot know that its first end was kept.
    #expect(try await storage.submit(first, as: key, openLimit: 1) == first.id)
    let names = try await withThrowingTaskGroup(of: RequestID.self) { group in
      for _ in 0..<8 {
        let again = try Samples.command([Samples.package(1)])
        group.addTask { try await storage.submit(again, as: key, openLimit: 1) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(names) == [first.id])
    let other = try Samples.command([Samples.package(1)])
    await #expect {
      _ = try await storage.submit(other, as: try Samples.key("b"), openLimit: 1)
    } throws: { ($0 as? StorageError)?.kind == .limit }
    // What was refused has no outcome, and another one's key is another key.
    #expect(try await storage.submit(other, as: try Samples.key("b"), openLimit: 2) == other.id)
    let foreign = try Samples.command([Samples.package(1)], owner: "you")
    let key2 = try Samples.key("a", of: "you")
    #expect(try await storage.submit(foreign, as: key2, openLimit: 1) == foreign.id)
    let listed = try await storage.commands(
      of: "me", since: Samples.now, at: Samples.now, limit: 99)
    #expect(Set(listed.map(\.requestID)) == [first.id.description, other.id.description])
  }

  @Test(arguments: StorageKind.available)
  func manyOfOneRequestAtOnceAreOne(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let key = try Samples.key("a")
    let names = try await withThrowingTaskGroup(of: RequestID.self) { group in
      for _ in 0..<8 {
        let command = try Samples.command([Samples.package(1)])
        group.addTask { try await storage.submit(command, as: key, openLimit: 9) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(names).count == 1)
    let listed = try await storage.commands(
      of: "me", since: Samples.now, at: Samples.now, limit: 99)
    #expect(listed.map(\.requestID) == [names[0].description])
  }

  @Test(arguments: StorageKind.available)
  func outcomesAreForgotten(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let key = try Samples.key("a")
    func command(_ second: Int64) throws -> NewCommand {
      NewCommand(
        id: try RequestID(), owner: "me", createdAt: Samples.later(second),
        expiresAt: Samples.later(9000), packages: [Samples.package(1)])
    }
    let (first, early, late) = (try command(0), try command(599), try command(600))
    #expect(try await storage.submit(first, as: key, openLimit: 9) == first.id)
    try await storage.forgetOutcomes(at: Samples.later(599))
    #expect(try await storage.submit(early, as: key, openLimit: 9) == first.id)
    #expect(try await storage.submit(late, as: key, openLimit: 9) == late.id)
    #expect(try await storage.hasOutcome(key, at: Samples.later(1199)))
    #expect(try await !storage.hasOutcome(key, at: Samples.later(1200)))
    try await storage.forgetOutcomes(at: Samples.later(1200))
    #expect(try await !storage.hasOutcome(key, at: Samples.now))
  }

  @Test(arguments: StorageKind.available)
  func aRepeatedEnrolmentEndsTheTokenBefore(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "kitchen", until: Samples.later(100)))
    let (digest, key) = (try code.digest(), try Samples.key("a"))
    #expect(try await !storage.hasOutcome(key, at: Samples.now))
    let first = try #require(
      try await storage.redeem(digest, as: key, at: Samples.now, token: Self.make))
    #expect(try await storage.hasOutcome(key, at: Samples.now))
    // With another key it is somebody else who has the code.
    let other = try Samples.key("b")
    #expect(
      try await storage.redeem(digest, as: other, at: Samples.now, token: Self.make) == nil)
    let second = try #require(
      try await storage.redeem(digest, as: key, at: Samples.later(1), token: Self.make))
    #expect(second.name == "kitchen" && second.id != first.id)
    #expect(try await storage.token(first.id)?.revokedAt == Samples.later(1))
    #expect(try await storage.token(second.id)?.revokedAt == nil)
    // The same attempt, whose end was kept, and whose connection was lost, gets its own one.
    let third = try AccessToken(.gateway)
    for _ in 0..<2 {
      let record = try await storage.redeem(digest, as: key, at: Samples.later(2)) {
        name throws(StorageError) in try third.record(name: name, at: Samples.later(2))
      }
      #expect(try record?.digest == third.digest())
    }
    #expect(try await storage.tokens().count { $0.revokedAt == nil } == 1)
    // Somebody has revoked it: then it is over.
    let live = try #require(try await storage.tokens().first { $0.revokedAt == nil })
    #expect(try await storage.revoke(live.id, at: Samples.later(3)))
    let late = try await storage.redeem(digest, as: key, at: Samples.later(4), token: Self.make)
    #expect(late == nil)
  }

  @Test(arguments: StorageKind.available)
  func ofManyRepetitionsOneTokenIsLeft(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "kitchen", until: Samples.later(100)))
    let (digest, key) = (try code.digest(), try Samples.key("a"))
    let made = try await withThrowingTaskGroup(of: TokenRecord?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await storage.redeem(digest, as: key, at: Samples.now, token: Self.make)
        }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(made.count == 8)
    let live = try await storage.tokens().filter { $0.revokedAt == nil }
    #expect(live.count == 1)
    #expect(made.contains { $0.id == live.first?.id })
  }
}
