import Bluetooth
import Foundation
import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing
import TrackerMachine

@testable import LunaTracker

@Suite("TrackerRun", .timeLimit(.minutes(10)))
final class TrackerRunTests {
  private let state: String
  private let radio = ScriptedRadio()

  init() throws {
    state = NSTemporaryDirectory() + "luna-run-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  /// The news of a run.
  private final class News: Sendable {
    let events = Watched<[TrackerNews.Event]>([])
  }

  private func run(
    _ record: TrackerRecord, files: any FlashFiles = LinuxFlashFiles()
  ) async throws -> (trackers: TrackerRun, task: Task<Void, any Error>, news: News) {
    try TrackerFlash(name: "keys", state: state).create(FlashImage(record: record))
    let news = News()
    let trackers = TrackerRun(radio: radio) { told in
      news.events.withLock { $0.append(told.event) }
    }
    _ = try await trackers.open([try TrackerFlash(name: "keys", state: state, files: files)])
    return (trackers, Task { try await trackers.run() }, news)
  }

  /// Connects, reads the info and gets the response to a request.
  private func begin() async throws -> OnboardingOffer {
    radio.happens(.connected(nil))
    radio.happens(.mtu(247))
    radio.happens(.read(TrackerCharacteristic.info.uuid, offset: 0))
    guard case .respond(.value(let info)) = try await radio.answers(1)[0] else {
      throw TrackerError(.invalid, "no info")
    }
    let app = try AppOnboarding(
      info: info.span, code: TrackerSamples.code(), privateKey: try SecureRandom.secret(count: 32),
      nonce: try SecureRandom.bytes())
    let request = app.request.indices.map { app.request[$0] }
    radio.happens(.write(TrackerCharacteristic.onboard.uuid, request))
    let answers = try await radio.answers(3)
    #expect(answers[1] == .respond(.written))
    guard case .indicate(TrackerCharacteristic.onboard.uuid, let response) = answers[2] else {
      throw TrackerError(.invalid, "no response")
    }
    return try app.receive(response: response.span)
  }

  @Test("A peer onboards it; the key is in flash when the last message goes out")
  func onboarding() async throws {
    let (trackers, task, news) = try await run(TrackerSamples.factory())
    let offer = try await begin()
    radio.happens(
      .write(TrackerCharacteristic.onboard.uuid, try offer.finish(unixTime: TrackerSamples.time)))
    let answers = try await radio.answers(5)
    guard case .indicate(_, let done) = answers[4] else {
      Issue.record("no end: \(answers)")
      return
    }
    try offer.verify(done: done.span)
    let stored = try TrackerFlash(name: "keys", state: state).load()
    #expect(stored.record.ownership?.masterKey == offer.masterKey)
    radio.happens(.disconnected)
    func wasTold(_ wanted: (TrackerNews.Event) -> Bool) -> Bool {
      news.events.withLock { $0.contains(where: wanted) }
    }
    try await news.events.until {
      $0.contains { if case .disconnected = $0 { true } else { false } }
    }
    trackers.stop()
    try await task.value
    #expect(wasTold { if case .state(.keyed) = $0 { true } else { false } })
    #expect(wasTold { if case .connected = $0 { true } else { false } })
  }

  @Test("When flash cannot be written nothing is answered, and the links end")
  func powerCut() async throws {
    let counting = FailingFiles(failsAt: .max, .error(0))
    try TrackerFlash(name: "other", state: state).create(
      FlashImage(record: TrackerSamples.factory()))
    try TrackerFlash(name: "other", state: state, files: counting)
      .store(FlashImage(record: TrackerSamples.keyed()))
    for failsAt in 1...counting.calls {
      try? FileManager.default.removeItem(atPath: state)
      let test = try TrackerRunTests()
      try await test.powerCut(failsAt)
    }
  }

  private func powerCut(_ failsAt: Int) async throws {
    let files = FailingFiles(failsAt: failsAt, .error(ENOSPC))
    let (_, task, _) = try await run(TrackerSamples.factory(), files: files)
    let offer = try await begin()
    radio.happens(
      .write(TrackerCharacteristic.onboard.uuid, try offer.finish(unixTime: TrackerSamples.time)))
    let error = await #expect(throws: TrackerError.self) { try await task.value }
    #expect(error?.kind == .system)
    // The write itself is answered; the end of the onboarding is not told.
    let indications = radio.answers.filter { if case .indicate = $0 { true } else { false } }
    #expect(indications.count == 1)
    #expect(radio.answers.last == .close)
    // Another start finds the old state or the new one.
    let record = try TrackerFlash(name: "keys", state: state).load().record
    #expect(
      record.ownership == nil || record.ownership?.masterKey == offer.masterKey,
      "call \(failsAt) leaves something else")
  }

  @Test("What is not the tracker's is refused; late events of an old link are ignored")
  func strangeEvents() async throws {
    let (trackers, task, _) = try await run(TrackerSamples.factory())
    radio.happens(.read(TrackerCharacteristic.info.uuid, offset: 0))
    radio.happens(.connected(nil))
    radio.happens(.read(.bit16(0x2A19), offset: 0))
    #expect(try await radio.answers(1) == [.respond(.refused(.unlikelyError))])
    radio.happens(.disconnected)
    radio.happens(.connected(nil), serial: 2)
    radio.happens(.read(TrackerCharacteristic.info.uuid, offset: 0), serial: 1)
    radio.happens(.disconnected, serial: 1)
    radio.happens(.read(TrackerCharacteristic.txPowerLevel.uuid, offset: 0), serial: 2)
    #expect(try await radio.answers(2).last == .respond(.value([0])))
    trackers.stop()
    try await task.value
  }

  @Test("It offers what the protocol says: no battery, no serial number, no device information")
  func services() async throws {
    let (trackers, task, _) = try await run(TrackerSamples.factory())
    let uuids = radio.services.map(\.uuid)
    #expect(
      uuids == [
        .bit16(0x1804), TrackerCharacteristic.info.service,
        TrackerCharacteristic.nonOwnerSound.service,
      ])
    let characteristics = radio.services.flatMap(\.characteristics)
    #expect(characteristics.map(\.uuid) == TrackerCharacteristic.allCases.map(\.uuid))
    #expect(characteristics.map(\.properties.rawValue) == [0x02, 0x02, 0x2A, 0x02, 0x28, 0x28])
    trackers.stop()
    try await task.value
  }
}
