import JSONWebToken
import LunaJSON
import Testing

@testable import LunaBackend

@Suite("Keys of an issuer that are kept")
struct KeySetCacheTests {
  private static let second: Int64 = 1_000_000

  private func keys(_ names: String...) throws -> WebKeySet {
    // A point of P-256: RFC 7515, A.3.
    let list = names.map { name -> JSONValue in
      [
        "kty": "EC", "crv": "P-256", "kid": .string(name),
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      ]
    }
    return try WebKeySet(JSONValue.object(["keys": .array(list)]).bytes)
  }

  private func word(_ decision: KeySetCache.Decision) -> String {
    switch decision {
    case .use: "use"
    case .fetch: "fetch"
    case .unknown: "unknown"
    case .unavailable: "unavailable"
    }
  }

  @Test("Fetched when needed first, then kept")
  func first() throws {
    var cache = KeySetCache()
    let token = try WebToken.sample([:])
    #expect(word(cache.decision(for: token, at: 0)) == "fetch")
    cache.noteQuestion(at: 0)
    cache.note(try keys("one"), at: 0)
    #expect(word(cache.decisionAfterFetch(for: token, at: 0)) == "use")
    #expect(word(cache.decision(for: token, at: 3600 * Self.second)) == "use")
  }

  @Test("For a key that is not there again once in 60 s")
  func unknown() throws {
    var cache = KeySetCache()
    cache.noteQuestion(at: 0)
    cache.note(try keys("one"), at: 0)
    let token = try WebToken.sample([:], key: "two")
    #expect(word(cache.decision(for: token, at: 59 * Self.second)) == "unknown")
    #expect(word(cache.decision(for: token, at: 60 * Self.second)) == "fetch")
    cache.noteQuestion(at: 60 * Self.second)
    cache.note(try keys("one", "two"), at: 60 * Self.second)
    #expect(word(cache.decisionAfterFetch(for: token, at: 60 * Self.second)) == "use")
    let three = try WebToken.sample([:], key: "three")
    #expect(word(cache.decision(for: three, at: 61 * Self.second)) == "unknown")
  }

  @Test("For one that the key of its name has not signed as well")
  func sameName() throws {
    var cache = KeySetCache()
    cache.noteQuestion(at: 0)
    cache.note(try keys("one"), at: 0)
    #expect(!cache.mayAskAgain(at: 59 * Self.second))
    #expect(cache.mayAskAgain(at: 60 * Self.second))
    cache.noteQuestion(at: 60 * Self.second)
    #expect(!cache.mayAskAgain(at: 61 * Self.second))
  }

  @Test("Whether a new key is there nobody knows before there is an answer")
  func rotatedInAnOutage() throws {
    var cache = KeySetCache()
    cache.noteQuestion(at: 0)
    cache.note(try keys("one"), at: 0)
    let token = try WebToken.sample([:], key: "two")
    cache.noteQuestion(at: 60 * Self.second)
    cache.note(nil, at: 65 * Self.second)
    #expect(word(cache.decisionAfterFetch(for: token, at: 65 * Self.second)) == "unavailable")
    #expect(word(cache.decision(for: token, at: 64 * Self.second)) == "unavailable")
    #expect(word(cache.decision(for: token, at: 65 * Self.second)) == "fetch")
    // Those that are known hold all the same.
    #expect(word(cache.decision(for: try .sample([:]), at: 65 * Self.second)) == "use")
    cache.noteQuestion(at: 66 * Self.second)
    cache.note(try keys("one"), at: 66 * Self.second)
    #expect(word(cache.decisionAfterFetch(for: token, at: 66 * Self.second)) == "unknown")
  }

  @Test("A key that the issuer has taken away is none after the next fetch")
  func removed() throws {
    var cache = KeySetCache()
    cache.noteQuestion(at: 0)
    cache.note(try keys("one"), at: 0)
    cache.noteQuestion(at: 60 * Self.second)
    cache.note(try keys("two"), at: 60 * Self.second)
    #expect(word(cache.decision(for: try .sample([:]), at: 61 * Self.second)) == "unknown")
  }

  @Test("An issuer that does not answer is asked again, and its keys hold for a day")
  func outage() throws {
    var cache = KeySetCache()
    let token = try WebToken.sample([:])
    cache.noteQuestion(at: 0)
    cache.note(nil, at: 0)
    #expect(word(cache.decision(for: token, at: 4 * Self.second)) == "unavailable")
    #expect(word(cache.decision(for: token, at: 5 * Self.second)) == "fetch")
    cache.noteQuestion(at: 5 * Self.second)
    let hour = 3600 * Self.second
    cache.note(try keys("one"), at: 0)
    #expect(word(cache.decision(for: token, at: 13 * hour)) == "fetch")
    cache.noteQuestion(at: 13 * hour)
    cache.note(nil, at: 13 * hour)
    #expect(word(cache.decisionAfterFetch(for: token, at: 13 * hour)) == "use")
    #expect(word(cache.decision(for: token, at: 13 * hour + Self.second)) == "use")
    #expect(word(cache.decision(for: token, at: 24 * hour + 1)) == "fetch")
    cache.noteQuestion(at: 24 * hour + 1)
    cache.note(nil, at: 24 * hour + 1)
    #expect(word(cache.decisionAfterFetch(for: token, at: 24 * hour + 1)) == "unavailable")
  }
}
