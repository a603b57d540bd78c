import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaOnboarder
import LunaProtocol
import LunaStore
import LunaTesting
import Synchronization
import Testing
import TrackerMachine

@Suite("Onboarding a tracker", .timeLimit(.minutes(10)))
struct OnboardingTests {
  @Test(
    "With the code it is the owner's: the store and the tracker have the same",
    arguments: [23, 247])
  func withCode(mtu: Int) async throws {
    let world = try World(mtu: mtu)
    let device = try await world.onboard().get()
    let ownership = try #require(world.record()?.ownership)
    #expect(device.masterKey == ownership.masterKey)
    #expect(device.uuid == ownership.uuid)
    #expect(device.onboardingSeconds == ownership.onboardingTimestamp)
    #expect(device.name == "Keys")
    #expect(!device.isUnauthenticated)
    let store = try world.makeStore()
    #expect(try await store.allDevices() == [device])
    #expect(try await store.pendingOnboardings().isEmpty)
  }

  @Test("Small PDUs are read after the indication, large ones are not")
  func reads() async throws {
    let operations: [GATTMessage.Operation] = [
      .connect, .subscribe, .read, .write, .indication, .write, .indication,
    ]
    for (mtu, expected) in [
      (247, operations), (56, operations),
      (
        23,
        [.connect, .subscribe, .read, .write, .indication, .read, .write, .indication]
      ),
    ] {
      let world = try World(mtu: mtu)
      let client = try world.client()
      _ = try await world.onboarder(InMemoryDeviceStore(), client: client)
        .onboard(OnboardingRequest(code: World.code))
      #expect(client.messages.map(\.operation) == expected, "MTU \(mtu)")
    }
  }

  @Test(
    "It says what it found, waits until connections are accepted, and takes its time for neither")
  func events() async throws {
    let world = try World()
    let told = Mutex<[String]>([])
    _ = try await world.onboarder(InMemoryDeviceStore(), client: try world.client()).run(
      OnboardingRequest(code: World.code, name: "Keys"),
      events: { event in
        told.withLock { told in
          switch event {
          case .discoveredConnectableLuna: told.append("connectable")
          case .discoveredNonConnectableLuna: told.append("waiting")
          case .lunaOnboarded(let device): told.append(device.name)
          }
        }
      })
    let events = told.withLock { $0 }
    #expect(events.last == "Keys")
    #expect([["connectable"], ["waiting", "connectable"]].contains(Array(events.dropLast())))
    // 64 s until it accepts connections.
    #expect(world.clock.elapsed < .seconds(70))
  }

  @Test(
    "Another code: no tracker shows it; and one that only seems to fit fails, with nothing kept")
  func wrongCode() async throws {
    let world = try World()
    let other = try OnboardingCode(text: "LUNA1:000000000000000000000000000")
    let result = try await world.onboard(OnboardingRequest(code: other))
    #expect(result.kind == .notFound)
    let address = try #require(world.devices.first { $0.onboardable }?.snapshot.address)
    #expect(
      try await world.onboard(OnboardingRequest(.address(address), code: other)).kind == .wrongCode)
    let store = InMemoryDeviceStore()
    #expect(
      try await world.onboard(OnboardingRequest(code: Self.twin), store: store).kind == .wrongCode)
    #expect(store.pendingOnboardings().isEmpty)
    #expect(world.record()?.state == .factory)
    // The right one does.
    #expect(try await world.onboard().kind == nil)
  }

  /// Its hash begins as that of the other code.
  static let twin: OnboardingCode = {
    let bytes: [UInt8] = [
      0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x13, 0xED, 0x7B,
    ]
    guard let code = OnboardingCode(SecretBytes(copying: bytes.span)) else {
      fatalError("a code has 16 bytes")
    }
    return code
  }()

  @Test("Without a code only when the owner says so, and the tracker's button was pressed")
  func withoutCode() async throws {
    let world = try World()
    #expect(try await world.onboard(OnboardingRequest()).kind == .consentNeeded)
    #expect(world.clock.elapsed == .zero, "nothing was listened for")
    let request = OnboardingRequest(name: "Box", allowsUnauthenticated: true)
    #expect(try await world.onboard(request).kind == .codeNeeded)
    await world.pressButton()
    let device = try await world.onboard(request).get()
    #expect(device.isUnauthenticated)
    #expect(world.record()?.ownership?.masterKey == device.masterKey)
  }

  @Test("Five failures lock the tracker; the error explains the button, which helps")
  func locked() async throws {
    let world = try World()
    let request = OnboardingRequest(allowsUnauthenticated: true)
    for _ in 0..<5 { #expect(try await world.onboard(request).kind == .codeNeeded) }
    #expect(world.record()?.state == .locked)
    let address = try #require(
      world.devices.filter { $0.snapshot.kind == .luna }
        .max { $0.lastSeenDate ?? .unknown < $1.lastSeenDate ?? .unknown }?.snapshot.address)
    let result = try await world.onboard(
      OnboardingRequest(.address(address), code: World.code))
    guard case .failure(let error) = result else {
      Issue.record("it came about")
      return
    }
    #expect(error.kind == .locked)
    #expect(error.remedy?.description.contains("button") == true)
    #expect(try await world.onboard(OnboardingRequest(code: World.code)).kind == .locked)
    let other = try OnboardingCode(text: "LUNA1:000000000000000000000000000")
    #expect(try await world.onboard(OnboardingRequest(code: other)).kind == .notFound)
    await world.pressButton()
    #expect(try await world.onboard().kind == nil)
  }

  @Test("A tracker that has an owner says so to who names it")
  func keyed() async throws {
    let world = try World()
    _ = try await world.onboard().get()
    try world.startOwner()
    try await world.wait(.seconds(3))
    let address = try #require(
      world.devices.first { $0.snapshot.kind == .luna && $0.timedOut == false }?.snapshot.address)
    let other = InMemoryDeviceStore()
    let result = try await world.onboard(
      OnboardingRequest(.address(address), code: World.code), store: other)
    #expect(result.kind == .keyed)
  }

  @Test("Of two trackers the code decides; without one the owner has to")
  func several() async throws {
    let second = try OnboardingCode(text: "LUNA1:000000000000000000000000000")
    let world = try World([
      "Keys": TrackerRecord(code: World.code), "Bag": TrackerRecord(code: second),
    ])
    let result = try await world.onboard(OnboardingRequest(allowsUnauthenticated: true))
    guard case .failure(let error) = result else {
      Issue.record("it came about")
      return
    }
    #expect(error.kind == .ambiguous)
    #expect(error.reason.split(separator: ":").count == 12, "two addresses: \(error.reason)")
    let device = try await world.onboard().get()
    #expect(world.record("Keys")?.ownership?.uuid == device.uuid)
    #expect(world.record("Bag")?.state == .factory)
  }

  @Test(
    "With a code the tracker is connected to when it first accepts that", .timeLimit(.minutes(10)))
  func atOnce() async throws {
    for _ in 0..<8 {
      let world = try World()
      let connectable = Mutex<Duration?>(nil)
      _ = try await world.onboarder(InMemoryDeviceStore(), client: try world.client()).run(
        OnboardingRequest(code: World.code),
        events: { event in
          guard case .discoveredConnectableLuna = event else { return }
          connectable.withLock { $0 = world.clock.elapsed }
        })
      let wasHeard = connectable.withLock { $0 }
      let heard = try #require(wasHeard)
      #expect(world.clock.elapsed - heard < .milliseconds(500))
    }
  }

  @Test("Nobody there: it ends when the time is over, and says so")
  func nobody() async throws {
    let world = try World([:])
    let result = try await world.onboard(limits: OnboardingLimits(wait: .seconds(30)))
    #expect(result.kind == .notFound)
    #expect((Duration.seconds(30)..<Duration.seconds(31)).contains(world.clock.elapsed))
  }

  @Test("A limit for all of it ends the search, too")
  func nobodyInAllTheTime() async throws {
    let world = try World([:])
    let result = try await world.onboard(limits: OnboardingLimits(total: .seconds(20)))
    #expect(result.kind == .notFound)
    #expect((Duration.seconds(20)..<Duration.seconds(21)).contains(world.clock.elapsed))
  }

  @Test("A dry run finds the tracker and changes nothing")
  func dryRun() async throws {
    let world = try World()
    let client = try world.client()
    let outcome = try await world.onboarder(InMemoryDeviceStore(), client: client)
      .run(OnboardingRequest(code: World.code, isDryRun: true))
    guard case .found(_, let hint) = outcome else {
      Issue.record("it came about")
      return
    }
    #expect(try hint == World.code.factoryHint())
    #expect(client.messages.isEmpty)
    #expect(world.record()?.state == .factory)
  }

  @Test("A full disk before the last message: nothing that binds the tracker is sent")
  func fullDisk() async throws {
    let world = try World()
    let client = try world.client()
    let store = FullStore(refusing: .pending)
    do throws(OnboardingError) {
      _ = try await world.onboarder(store, client: client)
        .onboard(OnboardingRequest(code: World.code))
      Issue.record("it came about")
    } catch {
      #expect(error.kind == .store)
      #expect(error.storeError?.kind == .full)
    }
    #expect(client.messages.filter { $0.operation == .write }.count == 1)
    #expect(world.record()?.state == .factory)
    #expect(try await world.onboard().kind == nil)
  }

  @Test("A full disk at the very end: the keys are kept, and the next run ends it")
  func fullDiskAtTheEnd() async throws {
    let world = try World()
    let store = FullStore(refusing: .promotion)
    #expect(try await world.onboard(store: store).kind == .store)
    let record = try #require(try await store.pendingOnboardings().first)
    #expect(world.record()?.ownership?.masterKey == record.device.masterKey)
    let roomy = InMemoryDeviceStore()
    try roomy.addPending(record)
    try world.startOwner()
    #expect(try await world.onboard(store: roomy).get() == record.device)
    #expect(roomy.allDevices() == [record.device])
  }

  @Test("With callbacks: what happens and what went wrong, on one queue; stopped, nothing more")
  func callbacks() async throws {
    let world = try World()
    let store = InMemoryDeviceStore()
    let onboarder = world.onboarder(store, client: try world.client())
    while world.devices.first(where: { $0.onboardable }) == nil {
      try await world.wait(.milliseconds(500))
    }
    let local = try #require(world.devices.first { $0.onboardable })
    let error = await withCheckedContinuation { continuation in
      onboarder.onError = { continuation.resume(returning: $0) }
      onboarder.startOnboarding(localDevice: local)
    }
    #expect(error.kind == .consentNeeded)
    #expect(error.remedy?.description.contains("startOnboarding(localDevice:code:)") == true)
    #expect(error.remedy?.description.contains("onboardingCode") == true)
    let device = await withCheckedContinuation { continuation in
      onboarder.onEvent = { event in
        if case .lunaOnboarded(let device) = event { continuation.resume(returning: device) }
      }
      onboarder.startOnboarding(localDevice: local, code: World.code, name: "Keys")
    }
    #expect(store.allDevices() == [device])
    onboarder.onEvent = { _ in Issue.record("stopped") }
    onboarder.onError = { _ in Issue.record("stopped") }
    onboarder.startOnboarding(localDevice: local, code: World.code)
    onboarder.stopOnboarding()
  }

  @Test("Without a code it asks who has codes")
  func asksForTheCode() async throws {
    let world = try World()
    let store = InMemoryDeviceStore()
    while world.devices.first(where: { $0.onboardable }) == nil {
      try await world.wait(.milliseconds(500))
    }
    let local = try #require(world.devices.first { $0.onboardable })
    let asked = Mutex<[String]>([])
    let onboarder = LunaOnboarder(
      client: try world.client(), nearby: world, store: store,
      configuration: OnboarderConfiguration(code: { device in
        asked.withLock { $0.append(device.identifier) }
        return World.code
      }), clock: world.wallClock)
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Device, OnboardingError>, Never>) in
      onboarder.onEvent = { event in
        if case .lunaOnboarded(let device) = event {
          continuation.resume(returning: .success(device))
        }
      }
      onboarder.onError = { continuation.resume(returning: .failure($0)) }
      onboarder.startOnboarding(localDevice: local)
    }
    let device = try result.get()
    #expect(store.allDevices() == [device])
    #expect(!device.isUnauthenticated)
    #expect(asked.withLock { $0 } == [local.identifier])
    #expect(world.devices.contains { $0.uuid == device.uuid }, "whoever listens has it at once")
  }

  @Test("Cancelled while it waits, it ends; the connection of a cancelled exchange is gone")
  func cancelled() async throws {
    let world = try World([:])
    let onboarder = world.onboarder(InMemoryDeviceStore(), client: try world.client())
    let task = Task { () -> OnboardingError.Kind? in
      do throws(OnboardingError) {
        _ = try await onboarder.onboard(OnboardingRequest(code: World.code))
        return nil
      } catch {
        return error.kind
      }
    }
    task.cancel()
    #expect(await task.value == .stopped)
  }
}
