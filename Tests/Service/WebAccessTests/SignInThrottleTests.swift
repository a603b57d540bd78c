import Testing

@testable import WebAccess

@Suite struct SignInThrottleTests {
  private let start = ContinuousClock.now

  private func fail(
    _ throttle: inout SignInThrottle, at now: ContinuousClock.Instant
  ) -> SignInThrottle.Answer {
    let answer = throttle.begin("ada", at: now)
    if case .wait(let wait) = answer { throttle.ended("ada", isGood: false, at: now + wait) }
    return answer
  }

  @Test func eachFurtherTryWaitsTwiceAsLong() {
    var throttle = SignInThrottle()
    var now = start
    for expected in [0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 64] {
      #expect(fail(&throttle, at: now) == .wait(.seconds(expected)))
      now += .seconds(expected + 1)
    }
    // Another name does not wait.
    #expect(throttle.begin("bob", at: now) == .wait(.zero))
    // The right one waits too, and ends it.
    #expect(throttle.begin("ada", at: now) == .wait(.seconds(64)))
    throttle.ended("ada", isGood: true, at: now + .seconds(64))
    #expect(fail(&throttle, at: now + .seconds(65)) == .wait(.zero))
  }

  @Test func isForgottenAfterAQuarterOfAnHour() {
    var throttle = SignInThrottle()
    for _ in 0..<5 { _ = fail(&throttle, at: start) }
    var late = throttle
    #expect(fail(&throttle, at: start + .seconds(900)) == .wait(.seconds(2)))
    #expect(fail(&late, at: start + .seconds(901)) == .wait(.zero))
  }

  @Test func learnsWhatOthersHaveSeen() {
    var throttle = SignInThrottle()
    func learn(_ count: Int, turn: Duration, of name: String) {
      let known = SignInFailures(count: count, age: .seconds(1), turn: turn)
      throttle.learn(known, of: name, at: start)
    }
    learn(5, turn: .seconds(-1), of: "ada")
    #expect(throttle.begin("ada", at: start) == .wait(.seconds(2)))
    // Behind those that wait elsewhere.
    learn(6, turn: .seconds(10), of: "bob")
    #expect(throttle.begin("bob", at: start) == .wait(.seconds(14)))
    // What was right elsewhere ends it here, too.
    for _ in 0..<7 { _ = fail(&throttle, at: start) }
    throttle.ended("ada", isGood: false, at: start)
    throttle.learn(nil, of: "ada", at: start)
    #expect(throttle.begin("ada", at: start) == .wait(.zero))
  }

  @Test func manyAtOnceGainNothing() {
    var throttle = SignInThrottle()
    var waits: [Duration] = []
    while case .wait(let wait) = throttle.begin("ada", at: start) { waits.append(wait) }
    // Five free ones; then one after the other.
    #expect(waits == [0, 0, 0, 0, 0, 2, 6, 14].map { .seconds($0) })
    #expect(throttle.begin("ada", at: start) == .refuse(.seconds(14)))
    // What found nothing out, as for lack of room, counts for neither side.
    for _ in waits { throttle.ended("ada", isGood: nil, at: start) }
    #expect(throttle.begin("ada", at: start + .seconds(20)) == .wait(.zero))
  }
}
