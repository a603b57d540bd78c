import Testing

@testable import LunaBuzzer

@Suite("How long a command to a tracker may take")
struct BuzzerLimitsTests {
  @Test("What is left for all of it bounds how long nothing may be heard")
  func fitsIntoWhatIsLeft() {
    #expect(BuzzerLimits(within: nil) == BuzzerLimits())
    let short = BuzzerLimits(within: .seconds(20))
    #expect(short.total == .seconds(20) && short.silence == .seconds(20))
    let long = BuzzerLimits(within: .seconds(600))
    #expect(long.total == .seconds(600) && long.silence == BuzzerLimits().silence)
    #expect(BuzzerLimits(within: .seconds(-1)).total == .zero)
  }
}
