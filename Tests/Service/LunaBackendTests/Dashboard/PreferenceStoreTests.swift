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
    #expect(try await store.values(.theme, but: "bob").map(\.owner) == ["ann"])
    #expect(try await store.values(.theme, but: "ann").isEmpty)
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
