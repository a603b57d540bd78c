import Diagnosis
import Testing

@testable import MQTT

@Suite struct MQTTAddressTests {
  @Test(
    arguments: [
      ("mqtt://localhost", "localhost", 1883, nil, nil, false),
      ("mqtts://broker.lan", "broker.lan", 8883, nil, nil, true),
      ("mqtt://me@10.0.0.7:2883/home/luna", "10.0.0.7", 2883, "me", "home/luna", false),
      ("mqtts://a%40b@[fe80::1%25eth0]:1", "fe80::1%25eth0", 1, "a@b", nil, true),
      ("mqtt://[::1]/luna", "::1", 1883, nil, "luna", false),
    ] as [(String, String, Int, String?, String?, Bool)])
  func reads(
    text: String, host: String, port: Int, user: String?, prefix: String?, tls: Bool
  ) throws {
    let address = try MQTTAddress(text)
    #expect(address.host == host && address.port == port && address.user == user)
    #expect(address.prefix == prefix && address.usesTLS == tls)
  }

  @Test(arguments: [
    "", "localhost", "http://localhost", "mqtt://", "mqtt://:1883", "mqtt://host:", "mqtt://host:0",
    "mqtt://host:65536", "mqtt://host:1e3", "mqtt://host/", "mqtt://host/a//b", "mqtt://host/a/#",
    "mqtt://host/$SYS", "mqtt://[::1", "mqtt://[::1]x", "mqtt://@host", "mqtt://%@host",
    "mqtt://%00@host", "mqtt://%ff@host", "mqtt://ho st", "mqtt://host/a\u{1B}[2J",
  ])
  func refuses(text: String) {
    #expect(throws: MQTTError.self) { try MQTTAddress(text) }
  }

  /// It would stand in the list of processes.
  @Test func refusesAPasswordWithoutTellingIt() throws {
    let error = try #require(throws: MQTTError.self) {
      try MQTTAddress("mqtt://me:secret@host")
    }
    #expect(!error.description.contains("secret") && error.reason.contains("password"))
  }

  @Test func makesLevelsOfAnything() {
    #expect(MQTTTopic.level("attic") == "attic" && MQTTTopic.level("Bücher") == "Bücher")
    #expect(MQTTTopic.level("a/b+c#d$") == "a_b_c_d_")
    #expect(MQTTTopic.level("") == "_" && MQTTTopic.level("\u{1B}[0m\n\u{202E}") == "_[0m__")
    #expect(MQTTTopic.isValid(MQTTTopic.level(String(repeating: "/", count: 5000))))
  }
}
