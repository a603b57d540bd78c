import Testing
import UplinkProtocol

struct ReplayPlanTests {
  private func plan(
    user: String = "abcdefghi1", extra: String = "0", history: Int = 1, isPortTest: Bool = false,
    _ recording: String = RecordingTests.file([RecordingTests.tcp()])
  ) throws -> ReplayPlan? {
    ReplayPlan(
      user: user, recording: try RecordingTests.read(recording), isControl: false, extra: extra,
      history: history, isLast: false, isPortTest: isPortTest)
  }

  @Test(arguments: ["", "a;b", "a b", "a\0", "a\n", "ä", "../x", String(repeating: "a", count: 65)])
  func refusesWords(_ word: String) throws {
    #expect(try plan(user: word) == nil)
    #expect(try plan(extra: word) == nil)
  }

  @Test func knowsItsLimits() throws {
    #expect(try plan(user: "a@b_c-D9") != nil)
    #expect(try plan(history: -1) == nil)
    #expect(try plan()?.limit == 45)
    #expect(try plan(isPortTest: true)?.limit == 30)
    let udp = RecordingTests.file([RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]")
    #expect(try plan(udp)?.limit == 40)
  }
}
