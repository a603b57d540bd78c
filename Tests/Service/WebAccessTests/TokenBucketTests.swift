import Testing

@testable import WebAccess

@Suite struct TokenBucketTests {
  @Test func paysBackWhatItOwes() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(rate: 10, capacity: 100, at: start)
    #expect(bucket.take(1, at: start) == nil)
    bucket.owe(199)
    // 100 too little, and one more.
    #expect(bucket.take(1, at: start) == 11)
    #expect(bucket.take(1, at: start.advanced(by: .seconds(11))) == nil)
  }

  private let start = ContinuousClock.now

  @Test func burstThenRate() {
    var bucket = TokenBucket(rate: 10, capacity: 20, at: start)
    #expect(bucket.take(20, at: start) == nil)
    #expect(bucket.take(1, at: start) == 1)
    #expect(bucket.take(1, at: start.advanced(by: .milliseconds(100))) == nil)
    #expect(bucket.take(1, at: start.advanced(by: .milliseconds(150))) == 1)
  }

  @Test func moreThanFitsIsPaidForAfterwards() {
    var bucket = TokenBucket(rate: 10, capacity: 20, at: start)
    #expect(bucket.take(50, at: start) == nil)
    // 30 below zero: three seconds until there is anything.
    #expect(bucket.take(1, at: start.advanced(by: .seconds(3))) == 1)
    #expect(bucket.take(1, at: start.advanced(by: .milliseconds(3200))) == nil)
  }

  @Test func clockThatGoesBackGivesNothing() {
    var bucket = TokenBucket(rate: 10, capacity: 20, at: start)
    #expect(bucket.take(20, at: start.advanced(by: .seconds(5))) == nil)
    #expect(bucket.take(1, at: start) == 1)
  }
}
