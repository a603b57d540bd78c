import Testing

@testable import MQTT

@Suite struct MQTTPausesTests {
  @Test func eachIsTwiceTheOneBeforeUpToTheLongest() {
    var pauses = MQTTPauses(.seconds(1) ... .seconds(5))
    let waits: [Duration] = (0..<5).map { _ in pauses.next(after: nil) }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
  }

  @Test func onlyAConnectionThatLastsBeginsAnew() {
    var pauses = MQTTPauses(.seconds(1) ... .seconds(5))
    // One that lets in and throws out at once.
    let waits: [Duration] = (0..<4).map { _ in pauses.next(after: .milliseconds(10)) }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
    #expect(pauses.next(after: .seconds(5)) == .seconds(1))
    #expect(pauses.next(after: nil) == .seconds(2))
  }
}
