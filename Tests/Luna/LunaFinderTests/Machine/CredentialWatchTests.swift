import Testing

@testable import LunaFinder

@Suite struct CredentialWatchTests {
  /// At once, and then each ten seconds, however often it is asked.
  @Test func looksNowAndThen() {
    var watch = CredentialWatch()
    let looks = (7..<40).filter { watch.isDue(at: .seconds($0)) }
    #expect(looks == [7, 17, 27, 37])
  }

  /// Where nobody asked for a while the next look is ten seconds after that.
  @Test func makesUpForNoLook() {
    var watch = CredentialWatch()
    let looks = [0, 25, 30, 34, 35, 36].filter { watch.isDue(at: .seconds($0)) }
    #expect(looks == [0, 25, 35])
  }
}
