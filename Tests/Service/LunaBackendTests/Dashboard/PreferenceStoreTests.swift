import LunaJSON
import Testing

@testable import LunaBackend

@Suite(.timeLimit(.minutes(10))) struct PreferenceStoreTests {
  @Test(arguments: StorageKind.available)
  func keepsWhatEverybodyHasSet(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let store = PreferenceStore(storage: storage)
    #expect(try await store.value(.theme, of: "ann") == nil)
    _ = try await store.set(.theme, of: "ann") { old in
      #expect(old == nil)
      return ["theme": "dark"]
    }
    let new = try await store.set(.theme, of: "ann") { old in ["before": old ?? .null] }
    #expect(new == ["before": ["theme": "dark"]])
    #expect(try await store.value(.theme, of: "ann") == new)
    #expect(try await store.value(.layout, of: "ann") == nil)
    #expect(try await store.value(.theme, of: "bob") == nil)
  }

  /// Rights end at once: who is no operator any more shares nothing, and who is one again does.
  @Test(arguments: StorageKind.available)
  func isSharedByWhoMayShareNow(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let (accounts, store) = (AccountStore(storage), PreferenceStore(storage: storage))
    for (name, role) in [("ann", AccountRole.operator), ("bob", .viewer), ("eve", .admin)] {
      let link = try AccountLink(.invitation, at: Samples.now)
      #expect(try await accounts.add(name, role, link, at: Samples.now) == nil)
    }
    let (first, second) = (try AccessToken(.admin), try AccessToken(.admin))
    let tokens = try [first, second].map {
      try $0.record(name: "script", at: Samples.now, rights: .operator)
    }
    for token in tokens { try await storage.add(token) }
    let looker = try AccessToken(.admin).record(name: "looker", at: Samples.now)
    try await storage.add(looker)
    for owner in ["ann", "bob", "eve", "nobody", "admin:script", "admin:looker", "admin:gone"] {
      _ = try await store.set(.filters, of: owner) { _ in [] }
    }
    func owners(but owner: String) async throws -> [String] {
      try await store.shared(.filters, but: owner).map(\.owner)
    }
    #expect(try await owners(but: "bob") == ["admin:script", "ann", "eve"])
    #expect(try await owners(but: "ann") == ["admin:script", "eve"])
    // As long as one token of the name is good, it is the same one who calls.
    #expect(try await storage.revoke(tokens[0].id, at: Samples.now))
    #expect(try await owners(but: "ann") == ["admin:script", "eve"])
    #expect(try await storage.revoke(tokens[1].id, at: Samples.now))
    #expect(try await owners(but: "bob") == ["ann", "eve"])
    #expect(try await accounts.setRole("ann", .viewer) == nil)
    #expect(try await owners(but: "bob") == ["eve"])
    #expect(try await store.value(.filters, of: "ann") != nil)
    #expect(try await accounts.setRole("ann", .operator) == nil)
    #expect(try await owners(but: "bob") == ["ann", "eve"])
  }

  @Test(arguments: StorageKind.available)
  func goesWithTheAccount(kind: StorageKind) async throws {
    let place = try StoragePlace(kind)
    let storage = try await place.prepared()
    let accounts = AccountStore(storage)
    for name in ["ann", "bob"] {
      let link = try AccountLink(.invitation, at: Samples.now)
      _ = try await accounts.add(name, .viewer, link, at: Samples.now)
      _ = try await PreferenceStore(storage: storage).set(.theme, of: name) { _ in "dark" }
    }
    #expect(try await accounts.remove("ann") == nil)
    #expect(try await PreferenceStore(storage: storage).value(.theme, of: "ann") == nil)
    #expect(try await PreferenceStore(storage: storage).value(.theme, of: "bob") == "dark")
  }
}
