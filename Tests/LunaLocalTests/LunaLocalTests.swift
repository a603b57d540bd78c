import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LunaLocalTests {
  let start: Int64 = 1_750_000_000_000

  @Test func devicesAreThereWhenStartReturnsAndUpdatesFollow() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let later = start + 100 * 86_400_000
    let source = ScriptedSource([
      [tracker.report(at: later)], [tracker.report(at: later + 1_300_000)],
    ])
    let local = LunaLocal(store: store) { source }
    let updates = local.updates
    let calls = Mutex<[Int]>([])
    local.onDevicesUpdate = { devices in calls.withLock { $0.append(devices.count) } }
    local.startScanning([tracker.device])
    #expect(local.devices.map(\.uuid) == [tracker.device.uuid])
    let device = try #require(local.devices.first)
    var events: [LocalUpdate.Event] = []
    for await update in updates {
      #expect(update.device === device)
      events.append(update.event)
      if update.device.timestampedEids.count == 2 { break }
    }
    #expect(events.first == .appeared)
    await local.stop()
    #expect(source.wasStopped)
    #expect(store.clockStates()[tracker.device.uuid] != nil)
    #expect(store.lastSightings()[tracker.device.uuid] != nil)
    #expect(calls.withLock { !$0.isEmpty && $0.allSatisfy { $0 == 1 } })
    #expect(local.devices.count == 1)
    local.reset()
    #expect(local.devices.isEmpty)
  }

  @Test func aSourceThatFailsIsTold() async throws {
    let fault = SourceError(.noAdapter, "there is no adapter")
    let local = LunaLocal(store: InMemoryDeviceStore()) { ScriptedSource([], fault: fault) }
    let (errors, continuation) = AsyncStream.makeStream(of: String.self)
    local.onError = { continuation.yield("\($0)") }
    local.startScanning()
    var iterator = errors.makeAsyncIterator()
    #expect(await iterator.next() == "there is no adapter")
    await local.stop()
  }

  @Test func silenceTimesOutByTheClockThatGoesOn() async throws {
    let tracker = try SimulatedTracker(1, onboarding: start)
    let source = ScriptedSource([[tracker.report(at: start)]])
    let elapsed = Mutex(Duration.zero)
    let base = Timestamp(unixMilliseconds: start)
    let clock = WallClock(
      now: { base }, elapsed: { elapsed.withLock { $0 } },
      sleep: { duration in
        try await Task.sleep(for: .milliseconds(2))
        elapsed.withLock { $0 += duration }
      })
    let local = LunaLocal(store: InMemoryDeviceStore(), clock: clock) { source }
    var configured = local.updates.makeAsyncIterator()
    local.startScanning([tracker.device])
    var events: [LocalUpdate.Event] = []
    while events.last != .timedOut, let update = await configured.next() {
      events.append(update.event)
    }
    #expect(events == [.appeared, .timedOut])
    await local.stop()
  }
}
