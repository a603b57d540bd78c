import Testing

@testable import LunaBackend

@Suite struct GatewayTouchesTests {
  @Test func onceInTenSecondsForEachGateway() {
    let touches = GatewayTouches()
    #expect(touches.isDue("a", hasReport: false, at: Samples.now))
    #expect(!touches.isDue("a", hasReport: false, at: Samples.later(9)))
    #expect(touches.isDue("b", hasReport: false, at: Samples.later(9)))
    #expect(touches.isDue("a", hasReport: false, at: Samples.later(10)))
    // A clock that was set back.
    #expect(touches.isDue("a", hasReport: false, at: Samples.later(-3600)))
  }

  @Test func aReportIsNotHeldBackByAnUploadWithoutOne() {
    let touches = GatewayTouches()
    #expect(touches.isDue("a", hasReport: false, at: Samples.now))
    #expect(touches.isDue("a", hasReport: true, at: Samples.later(1)))
    #expect(!touches.isDue("a", hasReport: true, at: Samples.later(2)))
    #expect(!touches.isDue("a", hasReport: false, at: Samples.later(2)))
  }
}
