import Testing

@testable import Bluetooth

@Suite struct SignallingTests {
  // Spans cannot be captured by #expect.
  private func answer(_ bytes: [UInt8], central: Bool = true) -> L2CAPSignalling.Answer {
    L2CAPSignalling.answer(bytes.span, isCentral: central)
  }

  private func security(_ bytes: [UInt8], central: Bool) -> [UInt8]? {
    SecurityRefusal.answer(bytes.span, isCentral: central)
  }

  /// Connection Parameter Update Request: identifier, length | intervals, latency, time-out.
  private let request: [UInt8] = [
    0x12, 0x07, 0x08, 0x00, 0x18, 0x00, 0x28, 0x00, 0x00, 0x00, 0xF4, 0x01,
  ]

  @Test func acceptsParameters() {
    let answer = answer(request)
    #expect(answer.reply == [0x13, 0x07, 0x02, 0x00, 0x00, 0x00])
    #expect(
      answer.update
        == ConnectionParameters(
          minimumInterval: 0x18, maximumInterval: 0x28, latency: 0, supervisionTimeout: 500))
  }

  @Test(
    arguments: [
      (5, 40, 0, 500), (24, 3201, 0, 3200), (41, 40, 0, 500), (24, 40, 500, 3200),
      (24, 40, 0, 9), (24, 40, 0, 3201),
      // 4 s of silence are lost after 3 s
      (24, 800, 3, 300),
      // valid, but an answer would take 4 s
      (3200, 3200, 0, 3200), (24, 40, 100, 3200),
    ] as [(UInt16, UInt16, UInt16, UInt16)])
  func rejectsParameters(_ minimum: UInt16, _ maximum: UInt16, _ latency: UInt16, _ timeout: UInt16)
  {
    let wanted = ConnectionParameters(
      minimumInterval: minimum, maximumInterval: maximum, latency: latency,
      supervisionTimeout: timeout)
    let answer = answer([0x12, 0x07, 0x08, 0x00] + wanted.octets)
    #expect(answer.reply == [0x13, 0x07, 0x02, 0x00, 0x01, 0x00])
    #expect(answer.update == nil)
  }

  @Test func rejectsRequestsForTheCentralAsAPeripheral() {
    #expect(answer(request, central: false).reply == [0x01, 0x07, 0x02, 0x00, 0x00, 0x00])
  }

  @Test(arguments: [
    [0x14, 0x09, 0x00, 0x00], [0x12, 0x09, 0x02, 0x00, 1, 2], [0xFF, 0x09, 0, 0],
  ])
  func rejectsWhatItDoesNotKnow(_ bytes: [UInt8]) {
    #expect(answer(bytes).reply == [0x01, 0x09, 0x02, 0x00, 0x00, 0x00])
    #expect(answer(bytes).update == nil)
  }

  @Test func rejectsWhatIsTooLong() {
    let bytes: [UInt8] = [0x14, 0x09, 0x14, 0x00] + [UInt8](repeating: 0, count: 20)
    // Signalling MTU exceeded: 23
    #expect(answer(bytes).reply == [0x01, 0x09, 0x04, 0x00, 0x01, 0x00, 0x17, 0x00])
  }

  @Test(
    arguments: [
      [], [0x12], [0x12, 0x07, 0x08], [0x12, 0x00, 0x00, 0x00],
      // Command Reject and responses
      [0x01, 0x07, 0x02, 0x00, 0x00, 0x00], [0x13, 0x07, 0x02, 0x00, 0x00, 0x00],
      [0x15, 0x07, 0x00, 0x00],
    ] as [[UInt8]])
  func doesNotAnswerAnswers(_ bytes: [UInt8]) {
    #expect(answer(bytes) == L2CAPSignalling.Answer())
  }

  @Test func refusesToPair() {
    #expect(security([0x01, 3, 0, 1, 16, 1, 1], central: false) == [0x05, 0x05])
    #expect(security([0x0B, 0x01], central: true) == [0x05, 0x05])
    #expect(security([0x01, 3, 0, 1, 16, 1, 1], central: true) == nil)
    #expect(security([0x05, 0x08], central: true) == nil)
    #expect(security([], central: true) == nil)
  }

  @Test func wantsToBeQuick() {
    #expect(ConnectionParameters.quick.isValid)
    #expect(ConnectionParameters.quick.isAcceptable)
    #expect(ConnectionParameters.quick.octets == [12, 0, 24, 0, 0, 0, 0x90, 0x01])
  }
}
