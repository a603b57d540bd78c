import Testing

@testable import BlueZ

@Suite struct TrafficWatchTests {
  /// A watch that has heard something at these seconds.
  private func watch(_ times: some Sequence<Int>) -> TrafficWatch {
    var watch = TrafficWatch(minimum: .seconds(30))
    for time in times { watch.heard(at: .seconds(time)) }
    return watch
  }

  @Test func expectsSomethingWithinTheMinimumWhereNothingIsKnown() {
    #expect(watch([]).limit == .seconds(30))
    #expect(watch([]).usualGap == nil)
    #expect(watch([5]).usualGap == nil)
  }

  @Test(arguments: [1, 2, 3])
  func noticesTheSilenceOfABusyPlaceAfterTheMinimum(every gap: Int) {
    let watch = watch(stride(from: 0, to: 300, by: gap))
    #expect(watch.usualGap == .seconds(gap))
    #expect(watch.limit == .seconds(30))
  }

  @Test func waitsTenTimesTheUsualGap() {
    let watch = watch(stride(from: 0, to: 3000, by: 20))
    #expect(watch.usualGap == .seconds(20))
    #expect(watch.limit == .seconds(200))
  }

  @Test func takesABurstForOne() {
    var watch = TrafficWatch(minimum: .seconds(30))
    for minute in 0..<10 {
      for step in 0..<50 {
        watch.heard(at: .seconds(60 * minute) + .milliseconds(step))
      }
    }
    #expect(watch.usualGap == .seconds(60))
    #expect(watch.lastHeard == .seconds(540) + .milliseconds(49))
  }

  @Test func followsAPlaceThatGrowsQuiet() {
    var watch = watch(0..<100)
    #expect(watch.limit == .seconds(30))
    for number in 1...200 { watch.heard(at: .seconds(100 + 60 * number)) }
    let usual = watch.usualGap ?? .zero
    #expect(usual > .seconds(59) && usual < .seconds(61))
  }

  @Test func learnsNothingFromAnInterruption() {
    var watch = watch(stride(from: 0, to: 100, by: 5))
    watch.interrupted()
    watch.heard(at: .seconds(5000))
    watch.heard(at: .seconds(5005))
    #expect(watch.usualGap == .seconds(5))
  }
}
