import Bluetooth
import LunaTesting
import Testing

@testable import BlueZ

/// What can go wrong with a controller of one's own and the peers in its air: each ends in time with
/// an error of its own kind, and the next connection works.
@Suite struct ControllerFaultTests {
  private let store = BluetoothUUID.bit16(0xFFF1)
  private let service = BluetoothUUID.bit16(0xFFF0)
  /// A value of several PDUs of any MTU.
  private let long = (0..<512).map { UInt8(truncatingIfNeeded: $0) }

  /// Allowed beyond a limit: what is wrong shows itself by another kind of error, or by never ending,
  /// and machines may be very busy.
  private let slack = 120.0
  /// For attempts whose time is to run out.
  private let short = GATTLimits(connect: .seconds(1))

  private func characteristic(
    _ connection: any GATTConnection
  ) async throws -> GATTCharacteristic {
    try await connection.characteristic(store, of: service)
  }

  @Test(.timeLimit(.minutes(10))) func connectsAndScansOn() async throws {
    try await withFakeRadio { radio in
      try await radio.hears()
      let connection = try await radio.connect()
      #expect(await connection.mtu == 517)
      #expect(await connection.characteristics.map(\.handle) == [3, 6, 8])
      let store = try await characteristic(connection)
      #expect(try await connection.read(store) == Array("luna".utf8))
      try await connection.write(long, to: store)
      #expect(radio.controller.stored == long)
      #expect(try await connection.read(store) == long)
      await connection.disconnect()
      try await radio.hears()
      let reason = "the scan waits for the connection to \(FakeController.peer)"
      try await radio.told.until { $0.last == .scanning }
      #expect(radio.states.suffix(2) == [.recovering(reason: reason), .scanning])
    }
  }

  @Test(.timeLimit(.minutes(10))) func givesUpOnASilentPeer() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.attempts = [.ignored] }
      let result = try await failure {
        _ = try await radio.connect(short)
      }
      #expect(result.kind == .outOfRange)
      #expect(1..<1 + slack ~= result.seconds)
      #expect(try await radio.isWell())
    }
  }

  @Test(.timeLimit(.minutes(10))) func triesAgainAfterFailedAttempts() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.attempts = [.failed(0x3E), .failed(0x3E), .failed(0x0B)] }
      let connection = try await radio.connect()
      await connection.disconnect()
      let attempts = radio.controller.opcodes.count { $0 == HCIOpcode.leCreateConnection }
      #expect(attempts == 4)
    }
  }

  @Test(.timeLimit(.minutes(10))) func triesAgainAfterARefusal() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.refusals = [0x0C, 0x09] }
      let connection = try await radio.connect()
      await connection.disconnect()
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [(0x0C, .busy), (0x12, .refused), (0x01, .refused)] as [(UInt8, GATTError.Kind)])
  func tellsThatTheControllerRefuses(_ status: UInt8, _ kind: GATTError.Kind) async throws {
    try await withFakeRadio { radio in
      // The attempt after 1.75 s is the last one: two seconds later would be too late. On a slow machine the time may
      // be over before the last refusal has come.
      var limits = kind == .busy ? GATTLimits(connect: .milliseconds(3700)) : FakeRadio.limits
      var result: (kind: GATTError.Kind?, seconds: Double)
      repeat {
        radio.controller.set { $0.refusals = [UInt8](repeating: status, count: 50) }
        result = try await failure { _ = try await radio.connect(limits) }
        limits.connect += .milliseconds(3700)
      } while kind == .busy && result.kind == .outOfRange && limits.connect < .seconds(60)
      #expect(result.kind == kind)
      #expect(result.seconds < slack)
      radio.controller.set { $0.refusals = [] }
      #expect(try await radio.isWell())
    }
  }

  @Test(.timeLimit(.minutes(10))) func endsALinkThatCameTooLate() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.attempts = [.madeTooLate] }
      let result = try await failure {
        _ = try await radio.connect(short)
      }
      #expect(result.kind == .outOfRange)
      #expect(result.seconds < 1 + slack)
      #expect(try await radio.isWell())
      #expect(radio.controller.opcodes.contains(HCIOpcode.disconnect))
    }
  }

  @Test(.timeLimit(.minutes(10))) func makesOneConnectionAfterTheOther() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.attempts = [.ignored] }
      let other = GATTPeer(BluetoothAddress(value: 0xC000_0000_0009), .random)
      async let first = failure {
        _ = try await radio.radio.client.connect(to: other, FakeRadio.limits)
      }
      try await radio.controller.commands.until { $0.contains(HCIOpcode.leCreateConnection) }
      // Its time is over before its turn comes.
      let second = try await failure {
        _ = try await radio.connect(GATTLimits(connect: .milliseconds(500)))
      }
      #expect(second.kind == .busy && second.seconds < 0.5 + slack)
      async let third = radio.connect()
      // Its peer does not want it (authentication failure).
      radio.controller.set { $0.ending = 0x05 }
      #expect(try await first.kind == .refused)
      let connection = try await third
      let again = try await failure { _ = try await radio.connect() }
      #expect(again.kind == .busy && again.seconds < slack)
      await connection.disconnect()
    }
  }

  @Test(.timeLimit(.minutes(10))) func endsWhenItIsClosed() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.attempts = [.ignored] }
      async let attempt = failure { _ = try await radio.connect() }
      try await radio.controller.commands.until { $0.contains(HCIOpcode.leCreateConnection) }
      await radio.radio.client.close()
      let result = try await attempt
      #expect(result.kind == .abortedLocally)
      #expect(result.seconds < slack)
      let later = try await failure { _ = try await radio.connect() }
      #expect(later.kind == .abortedLocally && later.seconds < slack)
      try await radio.hears()
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      HCIOpcode.leSetScanEnable, HCIOpcode.leCreateConnection, HCIOpcode.leCreateConnectionCancel,
    ])
  func tellsThatTheControllerHasGone(_ opcode: UInt16) async throws {
    try await withFakeRadio { radio in
      radio.controller.set {
        $0.attempts = [.ignored]
        $0.closesAt = opcode
      }
      // The limit is over before the controller goes.
      let isLate = opcode == HCIOpcode.leCreateConnectionCancel
      let result = try await failure {
        _ = try await radio.connect(isLate ? short : FakeRadio.limits)
      }
      #expect(result.kind == (isLate ? .outOfRange : .adapterLost))
      #expect(result.seconds < (isLate ? 1 : 0) + slack)
      radio.controller.set { $0.attempts = [] }
      // There the controller goes after the attempt has ended, and the next one may still meet that.
      if isLate { _ = try? await radio.isWell() }
      #expect(try await radio.isWell())
    }
  }

  @Test(.timeLimit(.minutes(10))) func endsADisconnectionWithTheController() async throws {
    try await withFakeRadio { radio in
      let connection = try await radio.connect()
      radio.controller.set { $0.closesAt = HCIOpcode.disconnect }
      let result = try await failure { await connection.disconnect() }
      #expect(result.kind == nil && result.seconds < slack)
      #expect(try await radio.isWell())
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      .exchangeMTURequest, .readByGroupTypeRequest, .readByTypeRequest,
    ] as [ATTOpcode])
  func connectsAgainWhenThePeerVanishesAtFirst(_ request: ATTOpcode) async throws {
    for fault in [FakeController.Fault.vanish, .disconnect] {
      try await withFakeRadio { radio in
        radio.controller.set { $0.faults = [request: fault] }
        let connection = try await radio.connect()
        #expect(await connection.characteristics.count == 3)
        await connection.disconnect()
      }
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      .exchangeMTURequest, .readByGroupTypeRequest, .readByTypeRequest,
    ] as [ATTOpcode])
  func tellsWhatIsWrongWithDiscovery(_ request: ATTOpcode) async throws {
    let faults: [(FakeController.Fault, GATTError.Kind, Double)] = [
      (.silence, .timedOut, 1), (.garbage([0x0B, 1]), .malformed, 0), (.close, .adapterLost, 0),
      (.hardwareError, .adapterLost, 0),
      (.garbage([0x01, request.rawValue, 0, 0, 0x0E]), .refused, 0),
    ]
    for (fault, kind, seconds) in faults {
      try await withFakeRadio { radio in
        radio.controller.set { $0.faults = [request: fault] }
        // Until it has come as far as the request, however slow the machine is.
        var limits = kind == .timedOut ? short : FakeRadio.limits
        var result: (kind: GATTError.Kind?, seconds: Double)
        repeat {
          result = try await failure { _ = try await radio.connect(limits) }
          limits.connect *= 2
        } while radio.controller.awaits(request) && limits.connect < .seconds(100)
        #expect(result.kind == kind, "\(fault)")
        #expect(seconds..<seconds + slack ~= result.seconds, "\(fault)")
        #expect(try await radio.isWell(), "\(fault)")
      }
    }
  }

  private static let operations: [ATTOpcode] = [
    .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
    .findInformationRequest,
  ]

  private func operate(_ request: ATTOpcode, _ connection: any GATTConnection) async throws {
    let store = try await characteristic(connection)
    switch request {
    case .readRequest, .readBlobRequest: _ = try await connection.read(store)
    case .writeRequest: try await connection.write([1, 2, 3], to: store)
    case .findInformationRequest:
      let indicating = try await connection.characteristic(.bit16(0xFFF2), of: service)
      try await connection.subscribe(to: indicating)
    default: try await connection.write(long, to: store)
    }
  }

  /// With an MTU of 23, as values are longest then.
  @Test(.timeLimit(.minutes(10)), arguments: operations)
  func tellsWhatIsWrongWithAnOperation(_ request: ATTOpcode) async throws {
    let faults: [(FakeController.Fault, GATTError.Kind?, Double)] = [
      (.vanish, .abortedByPeer, 0), (.disconnect, .abortedByPeer, 0), (.silence, .timedOut, 1),
      (.garbage([0x03, 1, 2]), .malformed, 0), (.garbage([0x01]), .malformed, 0),
      (.close, .adapterLost, 0), (.hardwareError, .adapterLost, 0), (.late(300), nil, 0.3),
      (.garbage([0x01, request.rawValue, 6, 0, 0x11]), .refused, 0),
    ]
    for (fault, kind, seconds) in faults {
      try await withFakeRadio { radio in
        radio.controller.set {
          $0.peer.largest = 23
          $0.peer.stored = [UInt8](repeating: 7, count: 100)
          $0.faults = [request: fault]
        }
        // Until it has come as far as the request, however slow the machine is.
        var limits = FakeRadio.limits
        if kind == .timedOut { limits.operation = .seconds(1) }
        repeat {
          let connection = try await radio.connect(limits)
          #expect(await connection.mtu == 23)
          let result = try await failure { try await operate(request, connection) }
          #expect(result.kind == kind, "\(fault)")
          #expect(seconds..<seconds + slack ~= result.seconds, "\(fault)")
          // A long write that went wrong changed nothing.
          if kind != nil, request == .prepareWriteRequest {
            #expect(radio.controller.stored == [UInt8](repeating: 7, count: 100), "\(fault)")
          }
          await connection.disconnect()
          limits.operation *= 2
        } while radio.controller.awaits(request) && limits.operation < .seconds(100)
        #expect(try await radio.isWell(), "\(fault)")
      }
    }
  }

  @Test(.timeLimit(.minutes(10))) func worksOnAfterALateAnswer() async throws {
    try await withFakeRadio { radio in
      radio.controller.set { $0.faults = [.readRequest: .late(4000)] }
      let connection = try await radio.connect(
        GATTLimits(connect: .seconds(300), operation: .seconds(1)))
      let store = try await characteristic(connection)
      let result = try await failure { _ = try await connection.read(store) }
      #expect(result.kind == .timedOut)
      // What follows has to wait for the answer: longer than that had time which did not come to it.
      await connection.limitOperations(to: .seconds(300))
      // The late answer is not taken for the next one.
      try await connection.write([5], to: store)
      #expect(try await connection.read(store) == [5])
      await connection.disconnect()
    }
  }

  @Test(.timeLimit(.minutes(10))) func endsWaitsForValues() async throws {
    try await withFakeRadio { radio in
      let connection = try await radio.connect()
      let indicating = try await connection.characteristic(.bit16(0xFFF2), of: service)
      try await connection.subscribe(to: indicating)
      radio.controller.set { $0.faults = [.readRequest: .vanish] }
      async let value = failure {
        _ = try await connection.nextValue(of: indicating, within: .seconds(300))
      }
      let store = try await characteristic(connection)
      let read = try await failure { _ = try await connection.read(store) }
      #expect(read.kind == .abortedByPeer)
      let ended = try await value
      #expect(ended.kind == .abortedByPeer && ended.seconds < slack)
      let later = try await failure { _ = try await connection.read(store) }
      #expect(later.kind == .abortedByPeer)
    }
  }
}
