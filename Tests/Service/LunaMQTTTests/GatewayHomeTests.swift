import Bluetooth
import LunaCore
import LunaFinder
import LunaProtocol
import MQTT
import Testing

@testable import LunaMQTT

@Suite("What a home is told of a gateway") struct GatewayHomeTests {
  private let topics = HomeTopics(base: "home/gate way", host: "attic", discovery: "ha")

  @Test("Home Assistant finds what there is to know")
  func discovery() throws {
    let messages = GatewayHome(topics).begin("attic")
    let announcements = messages.filter { $0.topic.hasPrefix("ha/") }
    #expect(announcements.count == 6 && messages.count == 7)
    for message in announcements {
      _ = try HomeAssistantRules.check(message, prefix: "ha")
      #expect(message.topic.contains("/home_gate_way/"))
    }
  }

  @Test("How it works is told, and sightings as they come")
  func values() throws {
    var home = GatewayHome(topics)
    func values(_ update: FinderUpdate) -> [String: String] {
      Dictionary(
        home.take(update).map { ($0.topic, String(decoding: $0.payload, as: UTF8.self)) }
      ) { $1 }
    }
    let heid = HEID(high: 1, low: 2)
    let time = Timestamp(microseconds: 1_767_225_600_000_000)
    let found = values(.found(heid: heid, rssi: -60, at: time))
    #expect(found["home/gate way/sightings"] == "1")
    #expect(
      found["home/gate way/events"]
        == #"{"type":"sighting","time":"2026-01-01T00:00:00.000000Z","heid":"\#(heid)","rssi":-60}"#
    )
    var summary = UploadSummary()
    summary.accepted = 3
    summary.waiting = 2
    #expect(
      values(.uploaded(summary)) == [
        "home/gate way/uploaded": "3", "home/gate way/waiting": "2", "home/gate way/backend": "ON",
      ])
    let error = BackendError(.unreachable, "nobody answers")
    #expect(values(.uploadFailed(error, retryIn: .seconds(1))) == ["home/gate way/backend": "OFF"])
    #expect(values(.state(.listening(adapter: "hci0"))) == ["home/gate way/state": "listening"])
    #expect(values(.dropped(reason: "full", count: 2)) == ["home/gate way/dropped": "2"])
    #expect(values(.unlocated("no fix")).isEmpty)
  }
}
