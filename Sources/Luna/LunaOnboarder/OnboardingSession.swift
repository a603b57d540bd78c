import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Carries out what an ``OnboardingMachine`` says.
struct OnboardingSession: Sendable {
  let client: any GATTClient
  let nearby: any NearbyTrackers
  let store: any DeviceStore
  let configuration: OnboarderConfiguration
  let clock: WallClock
  let tell: @Sendable (LunaOnboarderEvent) -> Void
  let progress: @Sendable (OnboardingProgress) -> Void

  /// What holds a connection.
  private struct Link {
    var connection: any GATTConnection
    var offered: [GATTCharacteristic]

    func characteristic(_ uuid: BluetoothUUID) throws(GATTError) -> GATTCharacteristic {
      guard let found = offered.first(where: { $0.uuid == uuid }) else {
        throw GATTError(.notFound, during: "discover", "there is no characteristic \(uuid)")
      }
      return found
    }
  }

  /// What is known from looking.
  private struct View {
    /// Which devices were heard, and when last.
    var seen: [ObjectIdentifier: Timestamp]?
    /// The devices of records.
    var followed: [(uuid: DeviceUUID, device: LocalDevice)] = []
  }

  /// Onboards; ends within the limits. Cancelled, it ends after the operation that is under way.
  func run(_ request: OnboardingRequest) async throws(OnboardingError) -> OnboardingOutcome {
    var machine = try await makeMachine(request)
    var view = View()
    for record in machine.pending { follow(record.device, &view) }
    let start = clock.elapsed()
    let bell = Bell()
    nearby.tell(bell)
    var link: Link?
    var hasStopped = false
    // What was heard before does not count.
    _ = look(request, &view)
    var action = machine.start()
    while true {
      let (news, steps) = machine.takeNews()
      // Who was found goes before what is done with it.
      news.forEach(tell)
      steps.forEach(progress)
      if case .finish(let result) = action {
        await close(&link)
        switch result {
        case .success(let outcome): return outcome
        case .failure(let error): throw error
        }
      }
      let input: OnboardingInput
      if Task.isCancelled, !hasStopped, isInterruptible(action) {
        hasStopped = true
        input = .stop
      } else {
        if case .listen = action {
          await bell.wait(for: machine.patience(at: clock.elapsed() - start), by: clock)
        }
        input = await perform(action, request, &link, &view)
      }
      action = machine.handle(
        input, at: clock.elapsed() - start, now: configuration.protocolTime(clock.now()))
    }
  }

  private func makeMachine(
    _ request: OnboardingRequest
  ) async throws(OnboardingError) -> OnboardingMachine {
    let pending: [PendingOnboarding]
    do throws(DeviceStoreError) {
      pending = try await store.pendingOnboardings()
    } catch {
      throw OnboardingError(error)
    }
    do throws(CryptoError) {
      return try OnboardingMachine(request, limits: configuration.limits, pending: pending)
    } catch {
      throw .crypto("\(error)")
    }
  }

  /// What was begun on the disk or leads away is done all the same.
  private func isInterruptible(_ action: OnboardingAction) -> Bool {
    switch action {
    case .promote, .discard, .disconnect, .finish: false
    default: true
    }
  }

  private func perform(
    _ action: OnboardingAction, _ request: OnboardingRequest, _ link: inout Link?,
    _ view: inout View
  ) async -> OnboardingInput {
    do {
      switch action {
      case .finish: return .stop
      case .listen: return .heard(look(request, &view))
      case .connect(let peer, let limit):
        let made = try await connect(to: peer, within: limit)
        link = made
        let uuids = Set(made.offered.map(\.uuid))
        return .connected(
          canOnboard: uuids.isSuperset(of: [LunaService.info, LunaService.onboard]),
          canControl: uuids.isSuperset(of: [LunaService.challenge, LunaService.control]))
      case .readInfo:
        let bytes = try await read(LunaService.info, link)
        return try .info(
          bytes, privateKey: SecureRandom.secret(count: 32), nonce: SecureRandom.bytes())
      case .subscribe: return try await subscribe(to: LunaService.onboard, link)
      case .subscribeControl: return try await subscribe(to: LunaService.control, link)
      case .write(let bytes): return try await write(bytes, to: LunaService.onboard, link)
      case .writeControl(let bytes): return try await write(bytes, to: LunaService.control, link)
      case .receive(let limit):
        return .message(try await receive(LunaService.onboard, link, within: limit))
      case .receiveReceipt(let limit):
        return .message(try await receive(LunaService.control, link, within: limit))
      case .readMessage: return .message(try await read(LunaService.onboard, link))
      case .readChallenge: return .challenge(try await read(LunaService.challenge, link))
      case .store(let record):
        try await store.addPending(record)
        follow(record.device, &view)
        return .stored
      case .promote(let uuid, let name):
        let device = try await store.promotePending(uuid, name: name)
        // Before anybody is told: who asks then finds it.
        if let device { nearby.follow(onboarded: device) }
        return .promoted(device)
      case .discard(let uuid):
        try await store.discardPending(uuid)
        view.followed.removeAll { $0.uuid == uuid }
        return .discarded
      case .issueCounter(let uuid):
        let seconds = configuration.protocolTime(clock.now()).unixMilliseconds / 1000
        return .counter(
          try await store.issueControlCounter(for: uuid, unixTime: UInt32(clamping: seconds)))
      case .disconnect:
        await close(&link)
        return .disconnected
      case .pause(let duration):
        try? await clock.sleep(duration)
        return .paused
      }
    } catch let error as GATTError {
      return .failed(error)
    } catch let error as DeviceStoreError {
      return .storeFailed(error)
    } catch let error as CryptoError {
      return .noRandomness(error)
    } catch {
      return .failed(GATTError(.abortedLocally, during: "connect", "\(error)"))
    }
  }

  private func follow(_ device: Device, _ view: inout View) {
    guard let local = nearby.follow(pending: device) else { return }
    view.followed.append((device.uuid, local))
  }

  /// Who was heard since this was asked last; the first look finds out what was heard before.
  private func look(_ request: OnboardingRequest, _ view: inout View) -> [OnboardingSighting] {
    var devices: [(pending: DeviceUUID?, device: LocalDevice)] = view.followed.map { ($0, $1) }
    switch request.target {
    case .device(let device): devices.append((nil, device))
    case .fitting, .address: devices += nearby.devices.map { (nil, $0) }
    }
    let before = view.seen
    var seen: [ObjectIdentifier: Timestamp] = [:]
    var sightings: [OnboardingSighting] = []
    for (pending, device) in devices {
      let state = device.snapshot
      guard let heardAt = state.lastSeenDate else { continue }
      let id = ObjectIdentifier(device)
      seen[id] = heardAt
      guard let before, before[id] != heardAt,
        let sighting = OnboardingSighting(state, pending: pending)
      else { continue }
      sightings.append(sighting)
    }
    view.seen = seen
    return sightings
  }

  private func connect(
    to peer: GATTPeer, within limit: Duration
  ) async throws(GATTError) -> Link {
    let progress = progress
    let connection = try await client.connect(
      to: peer, GATTLimits(connect: limit, operation: configuration.limits.operation),
      progress: { progress(.detail($0)) })
    let offered = await connection.characteristics.filter { $0.service == LunaService.uuid }
    return Link(connection: connection, offered: offered)
  }

  private func open(_ link: Link?) throws(GATTError) -> Link {
    guard let link else {
      throw GATTError(.abortedByPeer, during: "write", "there is no connection")
    }
    return link
  }

  private func read(_ uuid: BluetoothUUID, _ link: Link?) async throws(GATTError) -> [UInt8] {
    let link = try open(link)
    return try await link.connection.read(try link.characteristic(uuid))
  }

  private func subscribe(
    to uuid: BluetoothUUID, _ link: Link?
  ) async throws(GATTError) -> OnboardingInput {
    let link = try open(link)
    try await link.connection.subscribe(to: try link.characteristic(uuid))
    return .subscribed
  }

  private func write(
    _ bytes: [UInt8], to uuid: BluetoothUUID, _ link: Link?
  ) async throws(GATTError) -> OnboardingInput {
    let link = try open(link)
    try await link.connection.write(bytes, to: try link.characteristic(uuid))
    return .written
  }

  private func receive(
    _ uuid: BluetoothUUID, _ link: Link?, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    let link = try open(link)
    return try await link.connection.nextValue(of: try link.characteristic(uuid), within: limit)
  }

  /// Lets go of the connection, also when the task was cancelled.
  private func close(_ link: inout Link?) async {
    guard let connection = link?.connection else { return }
    link = nil
    await Task { await connection.disconnect() }.value
  }
}
