import Bluetooth
import CBlueZ
import CDispatch
import CLinux
import FileOutput
import Glibc
import HCIHost
import SystemBus

/// The machine that this process runs on.
struct LinuxHost: BluetoothHost {
  private static let none = UInt16(HCI_DEV_NONE)
  /// Room for several seconds of a busy place, where this process may have it (CAP_NET_ADMIN).
  private static let receiveBuffer: Int32 = 8 << 20
  /// CAP_NET_ADMIN.
  private static let administer: Int32 = 12

  private let sockets = SocketHelper()

  func openControl(withoutReports: Bool) async throws(SystemCallError) -> Int32 {
    // Everybody gets this socket; who has no right to administer gets one that is of little use.
    if luna_has_capability(LinuxHost.administer) == 0,
      let descriptor = (try? await sockets.ask(.control)) ?? nil
    {
      if withoutReports { _ = luna_filter_found(descriptor) }
      if !maySocket { await sockets.prepareQuery() }
      return descriptor
    }
    return try open { descriptor throws(SystemCallError) in
      if withoutReports {
        _ = luna_filter_found(descriptor)
      } else {
        _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
      }
      try bind(descriptor, LinuxHost.none, HCI_CHANNEL_CONTROL)
      _ = luna_enable_timestamps(descriptor)
    }
  }

  func openMonitor(reportsOnly: Bool) async throws(SystemCallError) -> Int32 {
    do throws(SystemCallError) {
      return try open { descriptor throws(SystemCallError) in
        // Before the bind: it replays what the kernel knows, and events begin to arrive.
        if reportsOnly { try check("setsockopt", luna_filter_advertising(descriptor)) }
        try check("setsockopt", luna_enable_timestamps(descriptor))
        _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
        try bind(descriptor, LinuxHost.none, HCI_CHANNEL_MONITOR)
      }
    } catch {
      // The helper hands over what is filtered alone.
      guard reportsOnly, isRefusal(error), let descriptor = try await sockets.ask(.monitor) else {
        throw error
      }
      return descriptor
    }
  }

  func openUser(_ index: UInt16) throws(SystemCallError) -> Int32 {
    do throws(SystemCallError) {
      return try open { descriptor throws(SystemCallError) in
        _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
        _ = luna_enable_timestamps(descriptor)
        try bind(descriptor, index, HCI_CHANNEL_USER)
      }
    } catch {
      return try helped(.user(index), after: error)
    }
  }

  /// Whether this process can make sockets of Bluetooth at all; a service may be kept from that.
  private var maySocket: Bool {
    let descriptor = luna_hci_socket()
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Whether the helper may know better: this process may not do it, or not make such sockets.
  private func isRefusal(_ error: SystemCallError) -> Bool {
    error.errno == EPERM || error.errno == EACCES || error.errno == EAFNOSUPPORT
  }

  /// What the helper does in the place of this process, which may not; for who may wait.
  @discardableResult
  private func helped(
    _ request: SocketHelper.Request, after error: SystemCallError
  ) throws(SystemCallError) -> Int32 {
    guard isRefusal(error), let descriptor = try sockets.askNow(request) else { throw error }
    return descriptor
  }

  func prepareATT() async {
    // Two, for the two kinds of address that are tried.
    if !maySocket { for _ in 0..<2 { await sockets.prepareLink() } }
  }

  func connectATT(
    from own: BluetoothAddress, isPublic: Bool, to peer: GATTPeer, within limit: Duration
  ) throws(SystemCallError) -> Int32 {
    var descriptor = luna_att_socket()
    if descriptor == -EAFNOSUPPORT { descriptor = sockets.takeLink() ?? descriptor }
    try check("socket", descriptor)
    let milliseconds = Int32(clamping: Int64(limit / .milliseconds(1)))
    let result = luna_att_connect(
      descriptor, own.littleEndianBytes, type(isPublic), peer.address.littleEndianBytes,
      type(peer.addressType == .public), max(1, milliseconds))
    if result < 0 { close(descriptor) }
    try check("connect", result)
    return descriptor
  }

  private func type(_ isPublic: Bool) -> UInt8 {
    UInt8(isPublic ? BDADDR_LE_PUBLIC : BDADDR_LE_RANDOM)
  }

  func isUp(_ index: UInt16) -> Bool {
    let flags = try? withSocket { descriptor throws(SystemCallError) in
      var info = hci_dev_info()
      try check("ioctl", luna_hci_device_info(descriptor, index, &info))
      return info.flags
    }
    return flags.map { $0 & 1 << HCI_UP != 0 } ?? false
  }

  func links(of index: UInt16) throws(SystemCallError) -> [BluetoothAddress] {
    try withSocket { descriptor throws(SystemCallError) in
      var addresses = [bdaddr_t](repeating: bdaddr_t(), count: 64)
      let count = luna_hci_le_links(descriptor, index, &addresses, 64)
      try check("ioctl", count)
      return addresses.prefix(Int(count)).compactMap { address in
        withUnsafeBytes(of: address) { BluetoothAddress(littleEndian: Array($0).span) }
      }
    }
  }

  func takeDown(_ index: UInt16) throws(SystemCallError) {
    do throws(SystemCallError) {
      try withSocket { descriptor throws(SystemCallError) in
        try check("ioctl", luna_hci_device_down(descriptor, index))
      }
    } catch {
      try helped(.down(index), after: error)
    }
  }

  func bringUp(_ index: UInt16) throws(SystemCallError) {
    do throws(SystemCallError) {
      try withSocket { descriptor throws(SystemCallError) in
        try checkUp(luna_hci_device_up(descriptor, index))
      }
    } catch {
      do throws(SystemCallError) {
        try helped(.up(index), after: error)
      } catch {
        try checkUp(-error.errno)
      }
    }
  }

  /// One that is up already is up.
  private func checkUp(_ outcome: Int32) throws(SystemCallError) {
    if outcome != -EALREADY { try check("ioctl", outcome) }
  }

  func unblock(_ number: UInt32) throws(SystemCallError) {
    try check("/dev/rfkill", luna_rfkill_unblock(number))
  }

  func resetUSB(_ node: String) throws(SystemCallError) { try check(node, luna_usb_reset(node)) }

  func drops(on descriptor: Int32) -> UInt64 { UInt64(max(0, luna_drops(descriptor))) }

  func devices() throws(SystemCallError) -> [UInt16] {
    try withSocket { descriptor throws(SystemCallError) in
      var numbers = [UInt16](repeating: 0, count: 64)
      let count = luna_hci_devices(descriptor, &numbers, 64)
      try check("ioctl", count)
      return numbers[..<Int(count)].sorted()
    }
  }

  func bus(of index: UInt16) throws(SystemCallError) -> UInt8 {
    try withSocket { descriptor throws(SystemCallError) in
      var info = hci_dev_info()
      try check("ioctl", luna_hci_device_info(descriptor, index, &info))
      return info.type & 0x0F
    }
  }

  private func open(
    _ prepare: (Int32) throws(SystemCallError) -> Void
  ) throws(SystemCallError) -> Int32 {
    let descriptor = luna_hci_socket()
    try check("socket", descriptor)
    do throws(SystemCallError) {
      try prepare(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private func withSocket<Value>(
    _ body: (Int32) throws(SystemCallError) -> Value
  ) throws(SystemCallError) -> Value {
    let descriptor = luna_hci_socket()
    if descriptor == -EAFNOSUPPORT, let kept = sockets.query { return try body(kept) }
    try check("socket", descriptor)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private func bind(_ descriptor: Int32, _ index: UInt16, _ channel: Int32) throws(SystemCallError)
  {
    try check("bind", luna_hci_bind(descriptor, index, UInt16(channel)))
  }

  private func check(_ call: String, _ result: Int32) throws(SystemCallError) {
    if result < 0 { throw SystemCallError(call, -result) }
  }

  func text(at path: String) -> String? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    while let last = bytes.last, last <= UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  func entries(at path: String) -> [String] {
    (Directory.names(in: path) ?? []).sorted()
  }

  func link(at path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count >= 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  func inode(at path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  func write(_ text: String?, to path: String) {
    guard let text else {
      unlink(path)
      return
    }
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
    // Written beside it and renamed: a reader never meets half a file.
    let draft = "\(path).new"
    let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    let written = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
    if written != bytes.count || rename(draft, path) != 0 { unlink(draft) }
  }

  var runtimeDirectories: [String] {
    // Not the caller's word for it when the program has capabilities that the caller has not.
    let own = luna_environment("XDG_RUNTIME_DIR").map { String(cString: $0) }
    return [own, "/run/user/\(getuid())", "/run"].compactMap(\.self)
      .filter { $0.hasPrefix("/") && access($0, W_OK) == 0 }
  }

  var busAddress: String { BusConnection.systemAddress }
  var processID: Int32 { getpid() }
  var executable: String { link(at: "/proc/self/exe") ?? CommandLine.arguments[0] }
  var isRoot: Bool { geteuid() == 0 }
  var helper: SocketHelper.State { sockets.state }
  var isHelped: Bool { sockets.hasOpened }
}
