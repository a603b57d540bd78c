/// The programs that hold HCI sockets: those who may be in the way.
enum BluetoothSockets {
  /// The names and numbers of the processes, as far as this process may look into them, without
  /// this process: `bluetoothd (312)`.
  static func holders(on host: any BluetoothHost) -> [String] {
    guard let table = host.text(at: "/proc/self/net/hci") else { return [] }
    // sk, references, receive memory, send memory, user, inode, parent
    let sockets = Set(
      table.split(separator: "\n").dropFirst().compactMap { line -> String? in
        let columns = line.split(separator: " ", omittingEmptySubsequences: true)
        return columns.count >= 6 ? "socket:[\(columns[5])]" : nil
      })
    guard !sockets.isEmpty else { return [] }
    return host.entries(at: "/proc").compactMap { Int32($0) }.sorted()
      .filter { $0 != host.processID }
      .filter { process in
        host.entries(at: "/proc/\(process)/fd").contains { descriptor in
          host.link(at: "/proc/\(process)/fd/\(descriptor)").map(sockets.contains) ?? false
        }
      }
      .map { process in
        let name = host.text(at: "/proc/\(process)/comm") ?? "process"
        return "\(name) (\(process))"
      }
  }
}
