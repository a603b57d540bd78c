import Bluetooth
import CLinux
import Glibc
import SystemBus

/// The machine that this process runs on.
struct LinuxHost: BluetoothHost {
  private static let none = UInt16(LUNA_HCI_DEV_NONE)
  /// Room for several seconds of a busy place, where this process may have it (CAP_NET_ADMIN).
  private static let receiveBuffer: Int32 = 8 << 20

  func openControl(withoutReports: Bool) throws(SystemCallError) -> Int32 {
    try open { descriptor throws(SystemCallError) in
      if withoutReports {
        _ = luna_filter_found(descriptor)
      } else {
        _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
      }
      try bind(descriptor, LinuxHost.none, LUNA_HCI_CHANNEL_CONTROL)
      _ = luna_enable_timestamps(descriptor)
    }
  }

  func openMonitor() throws(SystemCallError) -> Int32 {
    try open { descriptor throws(SystemCallError) in
      // Before the bind: it replays what the kernel knows, and events begin to arrive.
      try check("setsockopt", luna_filter_advertising(descriptor))
      try check("setsockopt", luna_enable_timestamps(descriptor))
      _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
      try bind(descriptor, LinuxHost.none, LUNA_HCI_CHANNEL_MONITOR)
    }
  }

  func openUser(_ index: UInt16) throws(SystemCallError) -> Int32 {
    try open { descriptor throws(SystemCallError) in
      _ = luna_set_receive_buffer(descriptor, LinuxHost.receiveBuffer)
      _ = luna_enable_timestamps(descriptor)
      try bind(descriptor, index, LUNA_HCI_CHANNEL_USER)
    }
  }

  func connectATT(
    from own: BluetoothAddress, isPublic: Bool, to peer: GATTPeer, within limit: Duration
  ) throws(SystemCallError) -> Int32 {
    let milliseconds = Int32(clamping: Int64(limit / .milliseconds(1)))
    let descriptor = luna_att_connect(
      own.littleEndianBytes, type(isPublic), peer.address.littleEndianBytes,
      type(peer.addressType == .public), max(1, milliseconds))
    try check("connect", descriptor)
    return descriptor
  }

  private func type(_ isPublic: Bool) -> UInt8 {
    UInt8(isPublic ? LUNA_BDADDR_LE_PUBLIC : LUNA_BDADDR_LE_RANDOM)
  }

  func isUp(_ index: UInt16) -> Bool {
    let flags = try? withSocket { descriptor throws(SystemCallError) in
      var info = luna_hci_info()
      try check("ioctl", luna_hci_device_info(descriptor, index, &info))
      return info.flags
    }
    return flags.map { $0 & 1 != 0 } ?? false
  }

  func links(of index: UInt16) throws(SystemCallError) -> [BluetoothAddress] {
    try withSocket { descriptor throws(SystemCallError) in
      var octets = [UInt8](repeating: 0, count: 6 * 64)
      let count = luna_hci_le_links(descriptor, index, &octets, 64)
      try check("ioctl", count)
      return (0..<Int(count)).compactMap {
        BluetoothAddress(littleEndian: octets.span, at: 6 * $0)
      }
    }
  }

  func takeDown(_ index: UInt16) throws(SystemCallError) {
    try withSocket { descriptor throws(SystemCallError) in
      try check("ioctl", luna_hci_device_down(descriptor, index))
    }
  }

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
      var info = luna_hci_info()
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
    try check("socket", descriptor)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private func bind(_ descriptor: Int32, _ index: UInt16, _ channel: Int) throws(SystemCallError) {
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
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
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
}
