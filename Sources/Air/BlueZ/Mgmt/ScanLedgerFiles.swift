/// The ledgers of this and other processes, in files that are gone after a restart of the machine,
/// as the changes are.
struct ScanLedgerFiles: Sendable {
  let host: any BluetoothHost

  /// A ledger of this process for an adapter, empty.
  func new(for index: UInt16) -> ScanLedger {
    ScanLedger(
      process: host.processID, processStart: start(of: host.processID) ?? 0, index: index,
      registration: host.inode(at: "/sys/class/bluetooth/hci\(index)") ?? 0)
  }

  /// Writes the ledger of this process, or removes its file when it is empty.
  func save(_ ledger: ScanLedger) {
    guard let directory = host.runtimeDirectories.first else { return }
    host.write(ledger.isEmpty ? nil : ledger.text, to: "\(directory)/luna/\(name(ledger))")
  }

  /// The ledgers of other processes for this adapter: of those that run, and of those that were
  /// killed. Files about adapters that are gone are removed.
  func others(for index: UInt16) -> (running: [ScanLedger], killed: [ScanLedger]) {
    var running: [ScanLedger] = []
    var killed: [ScanLedger] = []
    for directory in host.runtimeDirectories {
      for file in host.entries(at: "\(directory)/luna") where file.hasPrefix("scan-") {
        let path = "\(directory)/luna/\(file)"
        guard let text = host.text(at: path), let ledger = ScanLedger(text) else { continue }
        let runs = start(of: ledger.process) == ledger.processStart
        if runs && ledger.process == host.processID { continue }
        guard host.inode(at: "/sys/class/bluetooth/hci\(ledger.index)") == ledger.registration
        else {
          if !runs { host.write(nil, to: path) }
          continue
        }
        guard ledger.index == index else { continue }
        if runs { running.append(ledger) } else { killed.append(ledger) }
      }
    }
    return (running, killed)
  }

  /// Removes the file of another process.
  func remove(_ ledger: ScanLedger) {
    for directory in host.runtimeDirectories {
      host.write(nil, to: "\(directory)/luna/\(name(ledger))")
    }
  }

  private func name(_ ledger: ScanLedger) -> String { "scan-hci\(ledger.index)-\(ledger.process)" }

  /// When a process was started; nil when there is none.
  private func start(of process: Int32) -> UInt64? {
    // The name of the program, in parentheses, may hold anything; the time is field 22.
    guard let status = host.text(at: "/proc/\(process)/stat"),
      let end = status.lastIndex(of: ")")
    else { return nil }
    let fields = status[status.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }
}
