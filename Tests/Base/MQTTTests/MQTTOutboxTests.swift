import Testing

@testable import MQTT

@Suite struct MQTTOutboxTests {
  private func event(_ number: Int) -> MQTTMessage { MQTTMessage("events", "\(number)") }
  private func state(_ topic: String, _ text: String) -> MQTTMessage {
    MQTTMessage(topic, text, isRetained: true)
  }

  @Test func waitsForTheBroker() {
    var outbox = MQTTOutbox(limit: 10)
    #expect(outbox.publish(event(1)).isEmpty && outbox.publish(state("a", "on")).isEmpty)
    #expect(!outbox.isEmpty)
    #expect(outbox.connected() == [state("a", "on"), event(1)])
    #expect(!outbox.isEmpty)
    #expect(outbox.delivered(2).isEmpty && outbox.isEmpty)
    #expect(outbox.publish(event(2)) == [event(2)])
  }

  @Test func ofAStateOnlyTheLatestCounts() {
    var outbox = MQTTOutbox(limit: 10)
    for text in ["on", "off", "on", "off"] { _ = outbox.publish(state("a", text)) }
    #expect(outbox.connected() == [state("a", "off")])
    // What the broker has is not sent again.
    #expect(outbox.publish(state("a", "off")).isEmpty)
    #expect(outbox.publish(state("a", "on")) == [state("a", "on")])
  }

  @Test func statesAreSentAnewAfterEveryConnectEventsAreNot() {
    var outbox = MQTTOutbox(limit: 10)
    _ = outbox.connected()
    _ = outbox.publish(state("a", "on"))
    _ = outbox.publish(event(1))
    outbox.disconnected()
    _ = outbox.publish(state("b", "on"))
    #expect(outbox.connected() == [state("a", "on"), state("b", "on")])
  }

  @Test func isBoundedAndCountsWhatFindsNoRoom() {
    var outbox = MQTTOutbox(limit: 100)
    for number in 0..<250 { _ = outbox.publish(event(number)) }
    for number in 0..<150 { _ = outbox.publish(state("\(number)", "on")) }
    #expect(outbox.dropped == 150 + 50)
    // A broker that is slow gets so many at a time, whatever waits: the states first.
    var sent = outbox.connected()
    #expect(sent.count == MQTTOutbox.window && sent.allSatisfy(\.isRetained))
    for _ in 0..<200 { sent += outbox.delivered(1) }
    #expect(sent.count == 200 && outbox.isEmpty)
    #expect(sent.filter { !$0.isRetained } == (150..<250).map(event))
  }

  @Test func aCommandIsSaidEachTimeAndNotToWhoComesLater() {
    var on = state("lamp/set", "on")
    on.isCommand = true
    var outbox = MQTTOutbox(limit: 10)
    _ = outbox.connected()
    // Somebody else may have switched it off in between.
    for _ in 0..<2 {
      #expect(outbox.publish(on) == [on])
      _ = outbox.delivered(1)
    }
    #expect(outbox.again().isEmpty)
    outbox.disconnected()
    #expect(outbox.connected().isEmpty)
  }

  @Test func aCommandThatMayNotHaveArrivedIsSaidOnceMore() {
    var ring = event(1)
    ring.isCommand = true
    var outbox = MQTTOutbox(limit: 10)
    _ = outbox.connected()
    _ = outbox.publish(ring)
    _ = outbox.publish(event(2))
    _ = outbox.delivered(1)
    outbox.disconnected()
    _ = outbox.publish(event(3))
    #expect(outbox.connected() == [ring, event(3)])
    // Nobody took it.
    #expect(outbox.failed(2).isEmpty && outbox.isEmpty)
    outbox.disconnected()
    #expect(outbox.connected() == [ring])
    _ = outbox.delivered(1)
    outbox.disconnected()
    #expect(outbox.connected().isEmpty)
  }

  @Test func whatCouldNotBeSentIsNotTakenBack() {
    var outbox = MQTTOutbox(limit: 10)
    _ = outbox.connected()
    _ = outbox.publish(state("a", ""))
    _ = outbox.failed(1)
    #expect(outbox.takesBack)
    outbox.disconnected()
    #expect(outbox.connected() == [state("a", "")])
  }

  @Test func whatIsTakenBackIsSaidUntilTheBrokerHasItAndNotAgain() {
    var outbox = MQTTOutbox(limit: 10)
    _ = outbox.connected()
    _ = outbox.publish(state("a", "on"))
    _ = outbox.publish(state("b", "on"))
    _ = outbox.delivered(2)
    #expect(!outbox.takesBack)
    #expect(outbox.publish(state("a", "")) == [state("a", "")])
    #expect(outbox.takesBack)
    // It may not have arrived.
    outbox.disconnected()
    #expect(outbox.connected() == [state("a", ""), state("b", "on")])
    _ = outbox.delivered(1)
    #expect(outbox.takesBack)
    _ = outbox.delivered(1)
    #expect(!outbox.takesBack)
    outbox.disconnected()
    // Meanwhile somebody else may have begun to tell of it.
    #expect(outbox.connected() == [state("b", "on")])
    _ = outbox.delivered(1)
    #expect(outbox.again() == [state("b", "on")])
    #expect(outbox.publish(state("a", "on")) == [state("a", "on")])
  }
}
