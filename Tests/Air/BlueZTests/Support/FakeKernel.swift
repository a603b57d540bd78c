import Bluetooth
import EventLoop
import Glibc
import HCIHost
import LunaTesting
import Synchronization

@testable import BlueZ

/// The machine of a test: its kernel answers management commands as Linux 6.1 does, on real
/// sockets, and its files are whatever the test says.
final class FakeKernel: BluetoothHost {
  struct Command: Hashable {
    let opcode: UInt16
    let index: UInt16
    let parameters: [UInt8]
  }

  struct State {
    var adapters: [UInt16: FakeAdapter] = [:]
    /// Adapters that a program has for itself.
    var taken: [UInt16] = []
    var unconfigured: [UInt16] = []
    /// Whether the process has CAP_NET_ADMIN and CAP_NET_RAW.
    var mayAdminister = true
    var mayMonitor = true
    var socketError: Int32?
    var userError: Int32?
    /// Answers other than the usual ones, by opcode.
    var refusals: [UInt16: MgmtStatus] = [:]
    /// Commands that are not answered.
    var silent: Set<UInt16> = []
    var commands: [Command] = []
    /// Called with every command.
    var onCommand: (@Sendable (Command) -> Void)?
    var files: [String: String] = [:]
    var links: [String: String] = [:]
    var isRoot = false
    var helper = SocketHelper.State.absent
    var isHelped = false
    var busAddress = "unix:path=/nowhere"
    /// Whether the adapters have a public address, not a static one.
    var isPublicAddress = true
    /// Why the next socket for the Attribute Protocol cannot be had.
    var connectError: Int32?
    /// The other ends of such sockets.
    var peers: [Int32] = []
    var isUp = true
    /// What was taken down and up, unblocked and reset, and what of that cannot be had.
    var steps: [String] = []
    var stepErrors: [String: Int32] = [:]
    /// Who is connected.
    var lowEnergyLinks: [BluetoothAddress] = []
    fileprivate var controls: [Int32] = []
    fileprivate var monitors: [Int32] = []
    fileprivate var controller: Int32 = -1
    /// Our end of each socket, by the kernel's.
    fileprivate var ends: [Int32: Int32] = [:]
    var drops: UInt64 = 0
  }

  let state = Mutex(State())
  /// How often it was asked who is connected.
  let linkQueries = Watched(0)
  private let server: Server

  /// Serves the sockets, on a thread of its own.
  private actor Server: ReactorActor {
    nonisolated let reactor = Reactor(name: "fake-kernel")
    private var watches: [Int32: ReactorWatch] = [:]

    func serve(_ descriptor: Int32, _ kernel: FakeKernel) {
      var watch: ReactorWatch?
      watch = reactor.watch(descriptor, for: .readable) { [weak kernel] _ in
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let kernel else {
          watch?.cancel()
          kernel?.closed(descriptor)
          return
        }
        kernel.answer(Array(bytes[..<count]), descriptor)
      }
      watches[descriptor] = watch
    }

    func leave(_ descriptor: Int32) { watches.removeValue(forKey: descriptor)?.cancel() }
  }

  init(_ adapters: [UInt16: FakeAdapter] = [:], _ prepare: (inout State) -> Void = { _ in }) {
    server = Server()
    state.withLock { state in
      state.adapters = adapters
      state.files["/proc/77/stat"] = FakeKernel.processStatus(77)
      prepare(&state)
    }
  }

  /// The line that the kernel keeps on a process that was started at the tick 1000 + its number.
  static func processStatus(_ process: Int) -> String {
    "\(process) (a (strange) name) S 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 \(1000 + process) 1"
  }

  private func pair(_ keep: (inout State, Int32) -> Void) -> Int32 {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    state.withLock { state in
      state.ends[ends[1]] = ends[0]
      keep(&state, ends[1])
    }
    return ends[0]
  }

  fileprivate func closed(_ descriptor: Int32) {
    state.withLock { state in
      state.controls.removeAll { $0 == descriptor }
    }
    close(descriptor)
  }

  private func checkSocket() throws(SystemCallError) {
    if let error = state.withLock({ $0.socketError }) { throw SystemCallError("socket", error) }
  }

  func openControl(withoutReports: Bool) throws(SystemCallError) -> Int32 {
    try checkSocket()
    var mine: Int32 = -1
    let descriptor = pair { state, end in
      state.controls.append(end)
      mine = end
    }
    let end = mine
    Task { await server.serve(end, self) }
    return descriptor
  }

  func openMonitor(reportsOnly: Bool) throws(SystemCallError) -> Int32 {
    try checkSocket()
    guard state.withLock({ $0.mayMonitor }) else { throw SystemCallError("bind", EPERM) }
    return pair { state, end in state.monitors.append(end) }
  }

  func openUser(_ index: UInt16) throws(SystemCallError) -> Int32 {
    try checkSocket()
    guard state.withLock({ $0.mayAdminister }) else { throw SystemCallError("bind", EPERM) }
    if let error = state.withLock({ $0.userError }) { throw SystemCallError("bind", error) }
    return pair { state, end in state.controller = end }
  }

  func prepareATT() async {}

  func connectATT(
    from own: BluetoothAddress, isPublic: Bool, to peer: GATTPeer, within limit: Duration
  ) throws(SystemCallError) -> Int32 {
    let error = state.withLock { state in
      state.isPublicAddress == isPublic ? state.connectError : EHOSTUNREACH
    }
    if let error { throw SystemCallError("connect", error) }
    return pair { state, end in state.peers.append(end) }
  }

  func isUp(_ index: UInt16) -> Bool { state.withLock { $0.isUp } }

  func links(of index: UInt16) throws(SystemCallError) -> [BluetoothAddress] {
    linkQueries.withLock { $0 += 1 }
    return state.withLock { $0.lowEnergyLinks }
  }

  func takeDown(_ index: UInt16) throws(SystemCallError) { try step("down hci\(index)") }
  func bringUp(_ index: UInt16) throws(SystemCallError) { try step("up hci\(index)") }
  func unblock(_ number: UInt32) throws(SystemCallError) { try step("unblock \(number)") }
  func resetUSB(_ node: String) throws(SystemCallError) { try step("reset \(node)") }

  private func step(_ what: String) throws(SystemCallError) {
    let error = state.withLock { state in
      state.steps.append(what)
      return state.stepErrors[what]
    }
    if let error { throw SystemCallError(what, error) }
  }

  func drops(on descriptor: Int32) -> UInt64 { state.withLock { $0.drops } }

  func devices() throws(SystemCallError) -> [UInt16] {
    state.withLock { state in
      let managed: [UInt16] = Array(state.adapters.keys)
      return (managed + state.taken + state.unconfigured).sorted()
    }
  }

  func bus(of index: UInt16) throws(SystemCallError) -> UInt8 { 1 }

  func text(at path: String) -> String? { state.withLock { $0.files[path] } }

  func entries(at path: String) -> [String] {
    let paths: [String] = state.withLock { Array($0.files.keys) + Array($0.links.keys) }
    var names: Set<String> = []
    for other in paths where other.hasPrefix(path + "/") {
      let rest = other.dropFirst(path.count + 1)
      if let name = rest.split(separator: "/").first { names.insert(String(name)) }
    }
    return names.sorted()
  }

  func link(at path: String) -> String? { state.withLock { $0.links[path] } }

  func inode(at path: String) -> UInt64? {
    state.withLock { state in
      state.adapters.first { path == "/sys/class/bluetooth/hci\($0.key)" }?.value.registration
    }
  }

  func write(_ text: String?, to path: String) { state.withLock { $0.files[path] = text } }

  var busAddress: String { state.withLock { $0.busAddress } }
  var runtimeDirectories: [String] { ["/run"] }
  var processID: Int32 { 77 }
  var executable: String { "/opt/luna/bin/luna" }
  var isRoot: Bool { state.withLock { $0.isRoot } }
  var helper: SocketHelper.State { state.withLock { $0.helper } }
  var isHelped: Bool { state.withLock { $0.isHelped } }

  func change(_ index: UInt16, _ body: (inout FakeAdapter) -> Void) {
    state.withLock { body(&$0.adapters[index, default: FakeAdapter()]) }
  }

  subscript(index: UInt16) -> FakeAdapter? { state.withLock { $0.adapters[index] } }

  /// The opcodes of the commands that were not only questions, in their order.
  var changes: [UInt16] {
    let questions: Set<UInt16> = [0x0003, 0x0004, 0x0015, 0x0036, 0x0044, 0x004B, 0x0051]
    return state.withLock { $0.commands.map(\.opcode).filter { !questions.contains($0) } }
  }

  /// Sends an event to all management sockets.
  func emit(_ code: UInt16, _ index: UInt16, _ parameters: [UInt8] = []) {
    let packet = MgmtPacket.command(code, index, parameters)
    for end in state.withLock({ $0.controls }) {
      _ = Glibc.send(end, packet, packet.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Takes an adapter away, as when it is unplugged.
  func remove(_ index: UInt16) {
    state.withLock { $0.adapters[index] = nil }
    emit(MgmtEventCode.indexRemoved, index)
  }

  /// Ends all monitor sockets with an error, or as if it had closed them.
  func endMonitors(withError: Bool) {
    for end in state.withLock({ $0.monitors }) { cut(end, withError) }
    state.withLock { $0.monitors = [] }
  }

  /// Ends all management sockets with an error, or as if it had closed them.
  func endControls(withError: Bool) async {
    for end in state.withLock({ $0.controls }) {
      await server.leave(end)
      cut(end, withError)
    }
    state.withLock { $0.controls = [] }
  }

  /// Closed with something unread, a socket resets the other end (ECONNRESET).
  private func cut(_ end: Int32, _ withError: Bool) {
    if withError, let ours = state.withLock({ $0.ends[end] }) {
      _ = Glibc.send(ours, "?", 1, Int32(MSG_NOSIGNAL))
    }
    close(end)
  }

  /// Lets a monitor socket see an HCI event of an adapter.
  func hear(_ event: [UInt8], on index: UInt16) { tell(3, index, event) }

  /// Lets a monitor socket see any packet.
  func tell(_ opcode: UInt16, _ index: UInt16, _ body: [UInt8]) {
    let packet = MgmtPacket.command(opcode, index, body)
    for end in state.withLock({ $0.monitors }) {
      _ = Glibc.send(end, packet, packet.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The other end of the user channel.
  var controller: Int32 { state.withLock { $0.controller } }

  private func answer(_ packet: [UInt8], _ descriptor: Int32) {
    guard let command = MgmtPacket.event(packet.span) else { return }
    let parameters = Array(packet[MgmtPacket.headerCount...])
    var events: [(UInt16, [UInt8])] = []
    let asked = Command(opcode: command.code, index: command.index, parameters: parameters)
    state.withLock(\.onCommand)?(asked)
    let answer = state.withLock { state -> (MgmtStatus, [UInt8])? in
      state.commands.append(asked)
      if state.silent.contains(command.code) { return nil }
      if let status = state.refusals[command.code] { return (status, []) }
      return FakeKernel.carryOut(command.code, command.index, parameters, &state, &events)
    }
    guard let (status, reply) = answer else { return }
    let body = MgmtPacket.bytes(command.code) + [status.rawValue] + reply
    let code = status == .success ? MgmtEventCode.commandComplete : MgmtEventCode.commandStatus
    let bytes = MgmtPacket.command(code, command.index, body)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    for (code, parameters) in events { emit(code, command.index, parameters) }
  }

  private static func carryOut(
    _ opcode: UInt16, _ index: UInt16, _ parameters: [UInt8], _ state: inout State,
    _ events: inout [(UInt16, [UInt8])]
  ) -> (MgmtStatus, [UInt8]) {
    func list(_ numbers: [UInt16]) -> [UInt8] {
      MgmtPacket.bytes(UInt16(numbers.count)) + numbers.flatMap { MgmtPacket.bytes($0) }
    }
    switch opcode {
    case MgmtOpcode.readIndexList: return (.success, list(state.adapters.keys.sorted()))
    case MgmtOpcode.readUnconfiguredIndexList: return (.success, list(state.unconfigured))
    default: break
    }
    let questions = [MgmtOpcode.readInformation, MgmtOpcode.readDefaultSystemConfiguration]
    guard state.mayAdminister || questions.contains(opcode) else { return (.permissionDenied, []) }
    guard var adapter = state.adapters[index] else { return (.invalidIndex, []) }
    defer { state.adapters[index] = adapter }
    switch opcode {
    case MgmtOpcode.readInformation:
      var reply = adapter.address.littleEndianBytes + [0x09] + MgmtPacket.bytes(UInt16(0x05F1))
      reply += MgmtPacket.bytes(adapter.supported) + MgmtPacket.bytes(adapter.settings)
      reply += [0, 0, 0] + Array("Luna test".utf8)
      return (.success, reply + [UInt8](repeating: 0, count: 280 - reply.count))
    case MgmtOpcode.setPowered:
      guard !adapter.isBlocked || parameters == [0] else { return (.blockedByRfkill, []) }
      adapter.settings = adapter.settings & ~1 | UInt32(parameters[0])
      if parameters == [0] { adapter.isDiscovering = false }
      events.append((MgmtEventCode.newSettings, MgmtPacket.bytes(adapter.settings)))
      return (.success, MgmtPacket.bytes(adapter.settings))
    case MgmtOpcode.setLowEnergy:
      adapter.settings |= 1 << 9
      return (.success, MgmtPacket.bytes(adapter.settings))
    case MgmtOpcode.getConnections:
      guard adapter.isPowered else { return (.notPowered, []) }
      let address = [UInt8](repeating: 0, count: 8 * Int(adapter.connections))
      return (.success, MgmtPacket.bytes(adapter.connections) + address)
    case MgmtOpcode.startDiscovery:
      guard adapter.isPowered else { return (.notPowered, parameters) }
      guard !adapter.isDiscovering else { return (.busy, parameters) }
      adapter.isDiscovering = true
      events.append((MgmtEventCode.discovering, [6, 1]))
      return (.success, parameters)
    case MgmtOpcode.stopDiscovery:
      guard adapter.isDiscovering else { return (.rejected, parameters) }
      adapter.isDiscovering = false
      events.append((MgmtEventCode.discovering, [6, 0]))
      return (.success, parameters)
    case MgmtOpcode.getPHYConfiguration:
      return (
        .success,
        MgmtPacket.bytes(adapter.supportedPHYs) + MgmtPacket.bytes(adapter.supportedPHYs)
          + MgmtPacket.bytes(adapter.selectedPHYs)
      )
    case MgmtOpcode.setPHYConfiguration:
      adapter.selectedPHYs = MgmtPacket.number32(parameters.span, 0)
      return (.success, [])
    case MgmtOpcode.readDefaultSystemConfiguration:
      let values = [
        MgmtParameter(type: 0x0013, value: adapter.monitorInterval),
        MgmtParameter(type: 0x0014, value: adapter.monitorWindow),
      ]
      // A parameter of one byte between them.
      return (.success, values[0].bytes + [0x1F, 0x00, 0x01, 0x00] + values[1].bytes)
    case MgmtOpcode.setDefaultSystemConfiguration:
      for parameter in MgmtParameter.list(parameters) where parameter.type == 0x0014 {
        adapter.monitorWindow = parameter.value
      }
      return (.success, [])
    case MgmtOpcode.readMonitorFeatures:
      let features: UInt32 = adapter.offloadsPatterns ? 1 : 0
      return (
        .success,
        MgmtPacket.bytes(features) + MgmtPacket.bytes(features) + [32, 0, 16]
          + list(adapter.monitors)
      )
    case MgmtOpcode.addPatternsMonitor:
      // As Linux 6.1: not while it is off.
      guard adapter.isPowered else { return (.failed, []) }
      guard parameters.count > 1 else { return (.invalidParameters, []) }
      adapter.monitors.append(adapter.nextMonitor)
      adapter.nextMonitor += 1
      return (.success, MgmtPacket.bytes(adapter.nextMonitor - 1))
    case MgmtOpcode.removeMonitor:
      let handle = MgmtPacket.number(parameters.span, 0)
      guard adapter.monitors.contains(handle) else { return (.invalidIndex, []) }
      adapter.monitors.removeAll { $0 == handle }
      return (.success, parameters)
    case MgmtOpcode.readAdvertisingFeatures:
      return (.success, MgmtPacket.bytes(UInt32(0x3FF)) + [31, 31, 5, 0])
    default: return (.unknownCommand, [])
    }
  }
}
