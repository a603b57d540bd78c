import LunaCrypto
import LunaJSON
import Testing

@testable import WebAccess

@Suite(.timeLimit(.minutes(10))) struct PasswordHashTests {
  private let quick = Scrypt(cost: 16, blockSize: 1, parallelization: 1)

  @Test func isKeptWithItsWork() throws {
    let hash = try PasswordHash("correct horse", work: quick)
    let read = try #require(PasswordHash(hash.text))
    #expect(read == hash)
    #expect(try read.matches("correct horse"))
    #expect(try !read.matches("correct horsf"))
    #expect(try PasswordHash("correct horse", work: quick).text != hash.text)
    for text in ["", "scrypt$16$1$1$$", "md5$16$1$1$00$00", hash.text + "0", hash.text + "$"] {
      #expect(PasswordHash(text) == nil)
    }
  }

  @Test func costsWhatItShould() throws {
    #expect(try PasswordHash("correct horse").text.hasPrefix("scrypt$32768$8$1$"))
  }

  @Test func rules() {
    #expect(AccountRule.isPassword("zwölf Zeich."))
    #expect(!AccountRule.isPassword("elf Zeichen"))
    #expect(AccountRule.isPassword(String(repeating: "a", count: 256)))
    #expect(!AccountRule.isPassword(String(repeating: "a", count: 257)))
    #expect(AccountRule.isName("ada.lovelace_1-2"))
    #expect(AccountRule.isName("...") && AccountRule.isName(".a"))
    for name in ["", "Ada", "a b", "ä", String(repeating: "a", count: 65), ".", ".."] {
      #expect(!AccountRule.isName(name))
    }
  }

  @Test func onlySoManyWait() async throws {
    let work = PasswordWork()
    let started = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    let results = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do {
            try await work.run { () throws(CryptoError) in
              started.continuation.yield()
              // Holds the one thread until all others have come.
              gate.wait()
            }
            return true
          } catch {
            started.continuation.yield()
            return (error as? ProblemDocument)?.code != "overloaded"
          }
        }
      }
      var count = 0
      // One that is worked on, and eleven that were turned away.
      for await _ in started.stream {
        count += 1
        if count == 12 { break }
      }
      gate.open()
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(results == 9)
  }
}
