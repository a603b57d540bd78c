import Diagnosis
import LunaCore
import LunaJSON
import LunaMQTT
import LunaStore
import MQTT
import SafeText

// The broker: what it is told, and what it tells.

extension LunaHome {
  /// Begins to tell the broker of the file, if there is one.
  ///
  /// - Parameter kept: what homes before this one have kept of what they told.
  func startPublishing(_ file: HomeFile, after kept: [UInt8]?) async throws {
    guard let setup = file.setup.broker, let configuration = loaded?.configuration else { return }
    let publisher = try HomePublisher(setup, configuration)
    brokerMemory = BrokerMemory(kept: kept)
    let earlier = brokerMemory.levels(at: publisher.broker)
    await remember(publisher.announced, at: publisher)
    // It may have been ended meanwhile.
    guard isRunning else { return }
    self.publisher = publisher
    broker = HomeLink(
      state: .starting, text: "\(setup.host):\(setup.port)", since: now.wall)
    let (states, messages) = (publisher.states, publisher.messages)
    tasks.append(
      Task { [weak self] in for await state in states { await self?.take(state) } })
    tasks.append(
      Task { [weak self] in for await message in messages { await self?.take(message) } })
    tasks.append(Task { [weak self] in await self?.refreshBroker() })
    publisher.start(snapshot().trackers, sources: sources, after: earlier)
  }

  /// Keeps of whom a broker is about to be told, before it is: whatever becomes of this home, the next one takes back
  /// who is gone by then.
  private func remember(_ levels: Set<String>, at publisher: HomePublisher) async {
    announced = levels
    brokerMemory.add(levels, under: publisher.topics.base, at: publisher.broker)
    await keepBrokerMemory()
  }

  /// The same of a file that is about to hold.
  func rememberTrackers(of configuration: HomeConfiguration) async {
    guard let publisher else { return }
    await remember(HomeAnnouncer(publisher.topics, configuration).announced, at: publisher)
  }

  /// Forgets who was taken back, once the broker knows of that.
  func settleBroker() async {
    guard let publisher, publisher.isSettled else { return }
    // Another file may be about to hold.
    let levels = publisher.announced.union(announced)
    brokerMemory.settle(levels, under: publisher.topics.base, at: publisher.broker)
    await keepBrokerMemory()
  }

  private func keepBrokerMemory() async {
    let memory = brokerMemory
    guard memory != keptBrokerMemory, let bytes = memory.bytes else { return }
    do throws(DeviceStoreError) {
      try await store?.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
        try database.save([BrokerMemory.part: bytes])
      }
      keptBrokerMemory = memory
    } catch {
      // What keeps the rest from being kept as well is told there; this is tried again.
    }
  }

  /// The topics that custom properties come from.
  var sources: Set<String> {
    Set(
      (loaded?.configuration.trackers ?? []).flatMap { entry in
        entry.properties.values.compactMap { $0.source?.topic }
      })
  }

  private func take(_ state: MQTTState) {
    let text = loaded?.file.setup.broker.map { "\($0.host):\($0.port)" } ?? ""
    switch state {
    case .connecting: return
    case .connected: broker = HomeLink(state: .works, text: text, since: now.wall)
    case .disconnected(let error, _):
      let text = error.toldInHome
      guard broker?.state != .lost || broker?.text != text else { return }
      broker = HomeLink(state: .lost, text: text, since: now.wall)
    }
    if let broker { tell(.link("broker", broker)) }
  }

  /// Values become old without a word: the broker is told of that within a minute.
  private func refreshBroker() async {
    while isRunning, (try? await clock.sleep(.seconds(30))) != nil {
      publisher?.refresh(snapshot().trackers)
      await settleBroker()
    }
  }

  private func take(_ message: MQTTMessage) async {
    guard let publisher else { return }
    guard message.topic != LunaMQTT.HomeTopics.birth else {
      if LunaMQTT.HomeTopics.isBirth(message) { publisher.repeatAll() }
      return
    }
    takeSources(message)
    let payload = String(decoding: message.payload, as: UTF8.self)
    switch publisher.command(message) {
    case .message(let name)?: take([.message(name)])
    case .perform(let tracker)?:
      // Of what cannot be done nobody is told by MQTT but the log.
      do {
        _ = try await perform(payload, on: tracker)
      } catch {
        logger.log(.INFO, "MQTT: \(error.reason)")
      }
    case .set(let tracker, let property)?:
      do {
        _ = try await perform(
          "set:" + property, on: tracker, value: propertyValue(payload, property, of: tracker))
      } catch {
        logger.log(.INFO, "MQTT: \(error.reason)")
      }
    case nil: break
    }
  }

  /// A payload as a value of the property's type.
  private func propertyValue(
    _ payload: String, _ property: String, of id: String
  ) -> PropertyValue {
    let entry = loaded?.configuration.trackers.first { $0.id == id }
    return (entry?.property(property) ?? .unmanaged(property)).value(of: payload)
  }

  private func takeSources(_ message: MQTTMessage) {
    var inputs: [HomeInput] = []
    for entry in loaded?.configuration.trackers ?? [] {
      for name in entry.propertyNames {
        guard let property = entry.properties[name], let source = property.source,
          source.topic == message.topic
        else { continue }
        let payload = String(decoding: message.payload, as: UTF8.self)
        var value: PropertyValue?
        if source.path.isEmpty {
          value = propertyValue(payload, name, of: entry.id)
        } else if let json = try? JSONReader.read(message.payload) {
          value = json.value(at: source.path).flatMap { PropertyValue($0) }
        }
        if let value, property.takes(value) {
          inputs.append(.value(tracker: entry.id, property: name, value))
        }
      }
    }
    take(inputs)
  }
}

extension MQTTError {
  /// What happened, and where the file of the home has what may be wrong.
  var toldInHome: String {
    kind == .refused ? "\(reason); check user and password in outputs.mqtt" : reason
  }
}

extension JSONValue {
  /// The value that a JSON pointer (RFC 6901) leads to.
  fileprivate func value(at pointer: String) -> JSONValue? {
    guard pointer.hasPrefix("/") else { return nil }
    var value = self
    for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let name = part.replacing(text: "~1", with: "/").replacing(text: "~0", with: "~")
      switch value {
      case .object(let object):
        guard let next = object[name] else { return nil }
        value = next
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
