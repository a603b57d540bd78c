import MQTT
import Testing

/// The names of messages.
@Suite struct MQTTTopicTests {
  @Test(arguments: [
    "a", "home/luna", "Bücher", "a b", "a$", String(repeating: "a", count: 1024),
    String(repeating: "ü", count: 512),
  ])
  func canBePublishedUnder(topic: String) {
    #expect(MQTTTopic.isValid(topic))
  }

  @Test(arguments: [
    "", "$SYS", "/a", "a/", "a//b", "a/+/b", "#", "a\u{0}b", "a\u{202E}", "a\u{2028}b", "\u{E000}",
    String(repeating: "a", count: 1025), String(repeating: "ü", count: 512) + "a",
  ])
  func cannotBePublishedUnder(topic: String) {
    #expect(!MQTTTopic.isValid(topic))
  }

  @Test func aLevelIsNotLong() {
    let text = String(repeating: "a", count: 128)
    #expect(MQTTTopic.level(text + "b") == text)
    let other = String(text.dropLast()) + "b"
    #expect(MQTTTopic.level(other) == other)
  }
}
