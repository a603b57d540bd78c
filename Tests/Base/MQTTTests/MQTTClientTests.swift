import Diagnosis
import Foundation
import LunaTesting
import Testing

@testable import MQTT

/// Against a real mosquitto.
@Suite("A client and a real broker", .timeLimit(.minutes(10)))
struct MQTTClientTests {
  private func configuration(_ broker: Broker, _ name: String, tls: Bool = false) throws
    -> MQTTConfiguration
  {
    let address = try MQTTAddress("\(tls ? "mqtts" : "mqtt")://127.0.0.1:\(broker.port)")
    var configuration = MQTTConfiguration(address, clientID: name)
    configuration.pauses = .milliseconds(20) ... .milliseconds(100)
    return configuration
  }

  private func connected(_ client: MQTTClient) async -> [MQTTState] {
    client.start()
    var states: [MQTTState] = []
    for await state in client.states {
      states.append(state)
      if state == .connected { break }
    }
    return states
  }

  /// The messages of a filter as another client gets them, retained ones first.
  private func listener(_ broker: Broker, _ filter: String) async throws -> MQTTClient {
    let client = try MQTTClient(
      try configuration(broker, "listener-\(UInt32.random(in: 0...UInt32.max))"))
    client.subscribe(to: filter)
    _ = await connected(client)
    return client
  }

  private func next(_ client: MQTTClient) async -> MQTTMessage? {
    for await message in client.messages { return message }
    return nil
  }

  @Test("Messages arrive, retained ones also later, and a farewell before the end")
  func publishes() async throws {
    let broker = try Broker()
    var settings = try configuration(broker, "luna")
    settings.lastWill = MQTTMessage("luna/availability", "offline", isRetained: true)
    let client = try MQTTClient(settings)
    // Before it is connected, and even before it begins to connect.
    client.publish(MQTTMessage("luna/availability", "online", isRetained: true))
    let early = try await listener(broker, "luna/#")
    #expect(await connected(client) == [.connecting, .connected])
    #expect(await next(early) == MQTTMessage("luna/availability", "online"))
    client.publish(MQTTMessage("luna/events", "{}"))
    #expect(await next(early) == MQTTMessage("luna/events", "{}"))
    let late = try await listener(broker, "luna/#")
    #expect(await next(late) == MQTTMessage("luna/availability", "online", isRetained: true))
    await client.stop(saying: [MQTTMessage("luna/availability", "offline", isRetained: true)])
    #expect(await next(late) == MQTTMessage("luna/availability", "offline"))
    #expect(await client.states.first { _ in true } == nil)
    await early.stop()
    await late.stop()
  }

  @Test("A payload that is too long is left out")
  func longest() async throws {
    let broker = try Broker()
    let client = try MQTTClient(try configuration(broker, "luna"))
    let reader = try await listener(broker, "luna/#")
    _ = await connected(client)
    for count in [MQTTClient.longestPayload + 1, MQTTClient.longestPayload] {
      client.publish(MQTTMessage("luna/events", [UInt8](repeating: 0x20, count: count)))
    }
    #expect(await next(reader)?.payload.count == MQTTClient.longestPayload)
    await client.stop()
    await reader.stop()
  }

  @Test("A broker that is killed and comes back gets the states anew, and hears of commands again")
  func comesBack() async throws {
    let broker = try Broker()
    let client = try MQTTClient(try configuration(broker, "luna"))
    client.subscribe(to: "luna/+/set")
    _ = await connected(client)
    client.publish(MQTTMessage("luna/state", "1", isRetained: true))
    broker.kill()
    for await state in client.states {
      guard case .disconnected(let error, _) = state else { continue }
      #expect(error.kind == .lost || error.kind == .notConnected)
      break
    }
    // Nobody is there: the latest state counts, and nothing blocks.
    for number in 2...5 {
      client.publish(MQTTMessage("luna/state", "\(number)", isRetained: true))
    }
    try broker.start()
    for await state in client.states where state == .connected { break }
    let other = try await listener(broker, "luna/state")
    #expect(await next(other)?.payload == Array("5".utf8))
    other.publish(MQTTMessage("luna/lamp/set", "PRESS"))
    #expect(await next(client) == MQTTMessage("luna/lamp/set", "PRESS"))
    await client.stop()
    await other.stop()
  }

  @Test("The broker tells of a client that is gone without a word")
  func lastWill() async throws {
    let broker = try Broker()
    let other = try await listener(broker, "luna/availability")
    var settings = try configuration(broker, "luna")
    settings.lastWill = MQTTMessage("luna/availability", "offline", isRetained: true)
    let first = try MQTTClient(settings)
    _ = await connected(first)
    // One of the same name throws it out: for the broker it broke off.
    let second = try MQTTClient(settings)
    _ = await connected(second)
    #expect(await next(other) == MQTTMessage("luna/availability", "offline"))
    await first.stop()
    await second.stop()
    await other.stop()
  }

  @Test("A user and a password are asked for, and told to nobody")
  func passwords() async throws {
    let broker = try Broker(["allow_anonymous false", "password_file DIR/passwords"]) {
      try Broker.makePasswords(in: $0)
    }
    for (user, password, isLetIn) in [
      ("luna", "secret", true), ("luna", "wrong", false), (nil, nil, false),
    ] as [(String?, String?, Bool)] {
      var settings = try configuration(broker, "luna")
      settings.address.user = user
      settings.password = password
      let client = try MQTTClient(settings)
      client.start()
      for await state in client.states where state != .connecting {
        if case .disconnected(let error, _) = state {
          #expect(!isLetIn && error.kind == .refused)
          #expect(!error.description.contains("wrong"))
          #expect(error.remedy?.steps == [.brokerPassword])
        } else {
          #expect(isLetIn)
        }
        break
      }
      await client.stop()
    }
  }

  @Test("By TLS: only a broker that the authority has signed for, and a client with a certificate")
  func tls() async throws {
    let broker = try Broker([
      "cafile DIR/ca.pem", "certfile DIR/localhost.pem", "keyfile DIR/localhost.key",
      "require_certificate true", "use_identity_as_username true",
    ]) { try Broker.makeCertificates(in: $0) }
    var settings = try configuration(broker, "luna", tls: true)
    settings.authorities = "\(broker.directory)/ca.pem"
    settings.certificate = "\(broker.directory)/client.pem"
    settings.key = "\(broker.directory)/client.key"
    let client = try MQTTClient(settings)
    #expect(await connected(client).last == .connected)
    client.publish(MQTTMessage("luna/state", "1", isRetained: true))
    await client.stop()
    // The system's authorities do not know this one; and without a certificate the broker says no.
    var strange = settings
    strange.authorities = nil
    var anonymous = settings
    (anonymous.certificate, anonymous.key) = (nil, nil)
    // Where authorities are named, naming them is no help.
    var other = settings
    other.authorities = settings.certificate
    var mixed = settings
    mixed.key = "\(broker.directory)/localhost.key"
    let attempts: [(MQTTConfiguration, [MQTTError.Kind], String?)] = [
      (strange, [.notTrusted], "name the file of the authority"),
      (other, [.notTrusted], "for this name, and in time"),
      (mixed, [.notTrusted], "the key of that certificate"),
      (anonymous, [.notTrusted, .lost, .notConnected], nil),
    ]
    for (settings, kinds, help) in attempts {
      let client = try MQTTClient(settings)
      client.start()
      for await state in client.states where state != .connecting {
        guard case .disconnected(let error, _) = state else {
          Issue.record("it was let in")
          break
        }
        #expect(kinds.contains(error.kind), "\(error)")
        if let help { #expect(error.remedy?.description.contains(help) == true, "\(error)") }
        break
      }
      await client.stop()
    }
  }

  @Test("A broker that says nothing is left, and that is said")
  func silence() async throws {
    let silent = PatientListener()
    var settings = MQTTConfiguration(
      try MQTTAddress("mqtt://127.0.0.1:\(silent.port)"), clientID: "luna")
    // The least that there is.
    settings.keepAlive = 5
    let client = try MQTTClient(settings)
    client.start()
    for await state in client.states {
      guard case .disconnected(let error, _) = state else { continue }
      #expect(error.kind == .notConnected)
      #expect(error.reason.hasSuffix("(it says nothing)"), "\(error)")
      break
    }
    await client.stop()
    withExtendedLifetime(silent) {}
  }

  @Test("What cannot work is said at once")
  func refusals() throws {
    var settings = MQTTConfiguration(try MQTTAddress("mqtts://localhost"), clientID: "luna")
    settings.authorities = "/nowhere.pem"
    #expect(throws: MQTTError.self) { try MQTTClient(settings) }
    settings.authorities = nil
    settings.certificate = "/dev/null"
    #expect(throws: MQTTError.self) { try MQTTClient(settings) }
  }

  @Test("It can be stopped while nobody answers, or before it begins")
  func stops() async throws {
    let closed = ClosedPort()
    var settings = MQTTConfiguration(
      try MQTTAddress("mqtt://127.0.0.1:\(closed.number)"), clientID: "luna")
    settings.pauses = .seconds(600) ... .seconds(600)
    let client = try MQTTClient(settings)
    client.start()
    for await state in client.states {
      guard case .disconnected(let error, let pause) = state else { continue }
      #expect(error.kind == .notConnected && pause == .seconds(600))
      break
    }
    await client.stop()
    let new = try MQTTClient(settings)
    await new.stop()
    new.start()
    withExtendedLifetime(closed) {}
  }
}
