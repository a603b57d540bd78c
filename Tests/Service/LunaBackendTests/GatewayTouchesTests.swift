import Testing

@testable import LunaBackend

@Suite struct GatewayTouchesTests {
  @Test func onceInAMinuteForEachGateway() {
    let touches = GatewayTouches()
    #expect(touches.isDue("a", hasReport: false, at: Samples.now))
    #expect(!touches.isDue("a", hasReport: false, at: Samples.later(59)))
    #expect(touches.isDue("b", hasReport: false, at: Samples.later(59)))
    #expect(touches.isDue("a", hasReport: false, at: Samples.later(60)))
    // A clock that was set back.
    #expect(touches.isDue("a", hasReport: false, at: Samples.later(-3600)))
  }

  /// The time of the last upload that was written down is all that others see of it.
  @Test func whoUploadsAllTheTimeIsOnline() {
    let touches = GatewayTouches()
    let server = HealthRules.Server(startedAt: Samples.later(-86_400), stoppedAt: nil)
    var seen = Samples.now
    for second in stride(from: Int64(0), through: 600, by: 7) {
      let now = Samples.later(second)
      if touches.isDue("a", hasReport: true, at: now) { seen = now }
      #expect(HealthRules.state(seenAt: seen, server: server, at: now) == .online)
    }
  }

  @Test func aReportIsNotHeldBackByAnUploadWithoutOne() {
    let touches = GatewayTouches()
    #expect(touches.isDue("a", hasReport: false, at: Samples.now))
    #expect(touches.isDue("a", hasReport: true, at: Samples.later(1)))
    #expect(!touches.isDue("a", hasReport: true, at: Samples.later(2)))
    #expect(!touches.isDue("a", hasReport: false, at: Samples.later(2)))
  }
}
