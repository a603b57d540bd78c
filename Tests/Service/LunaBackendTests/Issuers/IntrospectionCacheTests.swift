import Testing

@testable import LunaBackend

@Suite("Answers about tokens that are kept")
struct IntrospectionCacheTests {
  private static let person = ForeignSubject(issuer: "https://id.example", subject: "person")

  @Test("Good ones a minute, bad ones ten seconds, none at all not")
  func times() {
    var cache = IntrospectionCache()
    cache.note(.success(Self.person), for: [1], lasts: nil, at: 100)
    cache.note(.failure(.invalid("no")), for: [2], lasts: nil, at: 100)
    cache.note(.failure(.unavailable("later")), for: [3], lasts: nil, at: 100)
    #expect(cache.answer(for: [1], at: 159) == .success(Self.person))
    #expect(cache.answer(for: [1], at: 160) == nil)
    #expect(cache.answer(for: [2], at: 109) == .failure(.invalid("no")))
    #expect(cache.answer(for: [2], at: 110) == nil)
    #expect(cache.answer(for: [3], at: 100) == nil)
  }

  @Test("Never longer than the token holds")
  func short() {
    var cache = IntrospectionCache()
    cache.note(.success(Self.person), for: [1], lasts: 5, at: 100)
    #expect(cache.answer(for: [1], at: 104) != nil)
    #expect(cache.answer(for: [1], at: 105) == nil)
    cache.note(.success(Self.person), for: [2], lasts: -5, at: 100)
    #expect(cache.answer(for: [2], at: 100) == nil)
  }

  @Test("It does not grow without end")
  func room() {
    var cache = IntrospectionCache()
    for number in 0..<30_000 {
      let digest = withUnsafeBytes(of: number) { Array($0) }
      cache.note(.failure(.invalid("no")), for: digest, lasts: nil, at: Int64(number / 1000))
      #expect(cache.count <= 10_000)
    }
  }
}
