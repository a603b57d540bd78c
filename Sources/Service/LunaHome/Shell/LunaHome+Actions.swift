import ChildProcess
import Diagnosis
import Luna
import LunaCore
import LunaFinder
import LunaJSON
import LunaStore

// What rules ask for.

extension LunaHome {
  /// What is done again when nobody knows whether it was done; everything else is done once at most.
  private static let repeatable: Set = ["publish"]

  /// Takes a request of a rule: it is carried out once it is known that it is to be.
  func ask(_ given: HomeActionRequest) {
    var request = given
    if given.name == "publish", let settings = loaded?.configuration.notifications {
      // Now: said again after a crash, it is the same.
      request = message(given).filled(by: settings)
    }
    let isMessage = request.name == "notify" || request.name == "webhook"
    // Delayed messages are a part of their own.
    let part = request.delivery == .delayed ? 1 : 0
    var outcome = HomeOutcome(
      firing: request.firing, action: request.index, part: part, name: request.name,
      state: .begun, time: request.wall,
      request: LunaHome.repeatable.contains(request.name)
        ? HomeEffect.action(request).json.description : "")
    outcome.trigger = request.cause.trigger
    if isMessage, outbox != nil {
      outcome.state = .queued
      pending.messages.append(message(request))
    } else if isMessage {
      outcome.state = .failed
      outcome.detail = "nothing brings messages to people"
      // Behind its firing.
      pending.told.append(.outcome(outcome))
    } else {
      pending.requests.append(request)
    }
    pending.outcomes.append(outcome)
  }

  private func message(_ request: HomeActionRequest) -> HomeMessage {
    let configuration = loaded?.configuration
    let cause = request.cause
    return HomeMessage(
      request: request,
      rule: configuration?.rules.first { $0.id == request.rule }?.name ?? request.rule,
      tracker: configuration?.trackers.first { $0.id == cause.tracker }.map { name(of: $0) },
      place: configuration?.places.first { $0.id == cause.detail }?.name)
  }

  /// What the process before had begun: what may be done twice is done again, all else was interrupted.
  func settle(_ begun: [HomeOutcome]) async throws {
    let time = now.wall
    var again: [HomeDeed] = []
    var interrupted: [HomeOutcome] = []
    for outcome in begun {
      if LunaHome.repeatable.contains(outcome.name), let deed = HomeDeed(outcome) {
        again.append(deed)
      } else {
        var outcome = outcome
        outcome.state = .interrupted
        outcome.time = time
        interrupted.append(outcome)
      }
    }
    let outcomes = interrupted
    try await store?.transaction { (database: borrowing HomeDatabase) throws(DeviceStoreError) in
      try database.save(outcomes)
      try database.interruptCommands(at: time)
    }
    for outcome in outcomes { tell(.outcome(outcome)) }
    if !again.isEmpty { start(again) }
  }

  /// Has requests done: those of a firing one after the other, whatever came of the one before.
  func carryOut(_ requests: [HomeActionRequest]) {
    var byFiring: [(firing: String, deeds: [HomeDeed])] = []
    for request in requests {
      if let index = byFiring.firstIndex(where: { $0.firing == request.firing }) {
        byFiring[index].deeds.append(HomeDeed(request))
      } else {
        byFiring.append((request.firing, [HomeDeed(request)]))
      }
    }
    for one in byFiring { start(one.deeds) }
  }

  private func start(_ deeds: [HomeDeed]) {
    lastDeed += 1
    let number = lastDeed
    self.deeds[number] = Task { [weak self] in
      for deed in deeds { await self?.carryOut(deed) }
      await self?.end(number)
    }
  }

  /// Something that was being done has ended.
  func end(_ number: Int) {
    deeds[number] = nil
    asked[number] = nil
    resting.ring()
  }

  private func carryOut(_ deed: HomeDeed) async {
    var outcome = HomeOutcome(
      firing: deed.firing, action: deed.index, part: 0, name: deed.name, state: .done,
      time: 0)
    outcome.trigger = deed.trigger
    do {
      outcome.detail = try await result(of: deed)
    } catch is CancellationError {
      // The home ends: it is not known how far it has come.
      outcome.state = .interrupted
    } catch {
      outcome.state = .failed
      outcome.detail = (error as? any Diagnosed)?.reason ?? "\(error)"
    }
    outcome.time = now.wall
    pending.outcomes.append(outcome)
    markPending()
    tell(.outcome(outcome))
  }

  /// Does it.
  ///
  /// - Returns: what came of it, in words; empty where there is nothing to say.
  private func result(of deed: HomeDeed) async throws -> String {
    switch deed.name {
    case "buzz", "stopSound", "blink", "ping":
      guard !deed.trackers.isEmpty else { throw HomeError(.action, "no tracker is meant") }
      var details: [String] = []
      for tracker in deed.trackers {
        if try await isDoneByClass(deed.asked, .number(Double(deed.seconds)), tracker) { continue }
        details.append(
          try await control(deed.name, tracker, seconds: deed.seconds) { _, _ in })
      }
      return details.filter { !$0.isEmpty }.joined(separator: "; ")
    case "exec": return try await run(deed)
    case "publish":
      guard let publisher else { throw HomeError(.action, "the file names no broker") }
      publisher.publish(
        topic: deed.text("topic") ?? "", payload: deed.text("payload") ?? "",
        isRetained: deed.parameters["retain"] == true)
      return ""
    case "set":
      // What the rules know has changed already; here it goes to where the value belongs.
      var refusal: HomeError?
      for tracker in deed.trackers {
        guard let property = deed.text("property"),
          let value = deed.parameters["value"].flatMap({ PropertyValue($0) })
        else { continue }
        if try await isDoneByClass("set:" + property, value, tracker) { continue }
        if let known = loaded?.configuration.trackers.first(where: { $0.id == tracker })?
          .property(property), known.refuses(value)
        {
          refusal = known.refusal(of: value)
          continue
        }
        try sink(value, property, tracker)
      }
      if let refusal { throw refusal }
      return ""
    case "finder":
      if deed.word == "stop" {
        luna.finder().stopMonitoring()
      } else {
        startFinder()
      }
      return ""
    case "rule": return ""
    default: throw HomeError(.action, "\(deed.name) is not known")
    }
  }

  func startFinder() {
    var configuration = LunaConfiguration(logger: logger)
    configuration.backend = luna.settings.backend
    luna.finder().startMonitoring(configuration: configuration)
  }

  /// Runs a program of the file, four at once, for 30 s at most. A home that ends leaves none running.
  private func run(_ deed: HomeDeed) async throws -> String {
    let name = deed.text("name") ?? ""
    guard let words = loaded?.file.setup.programs[name] else {
      throw HomeError(.action, "there is no program \(name) in exec")
    }
    let input = deed.document.bytes
    let result: Result<ProgramRun, ProgramRun.Failure> = await programs.enter {
      do throws(ProgramRun.Failure) {
        return .success(try await ProgramRun.run(words, input: input, within: .seconds(30)))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .failure(let failure):
      try Task.checkCancellation()
      throw HomeError(.action, "\(words[0]) cannot be run: \(failure.text)")
    case .success(let run):
      guard !run.isCutOff else {
        try Task.checkCancellation()
        throw HomeError(.action, "\(words[0]) was ended after 30 s")
      }
      guard run.status == 0 else {
        throw HomeError(.action, "\(words[0]) ended with \(run.status)")
      }
      return ""
    }
  }

  /// Sends a value to where it belongs, if anywhere.
  func sink(_ value: PropertyValue, _ property: String, _ tracker: String) throws(HomeError) {
    guard
      let topic = loaded?.configuration.trackers.first(where: { $0.id == tracker })?
        .property(property).sink
    else { return }
    guard let publisher else { throw HomeError(.action, "the file names no broker") }
    let payload =
      switch value {
      case .text(let text): text
      default: value.json.description
      }
    publisher.publish(topic: topic, payload: payload, isRetained: false)
  }
}
