import Bluetooth
import Diagnosis

/// Finds adapters through the kernel's management.
struct AdapterFinder: Sendable {
  /// An adapter that the kernel manages.
  struct Found: Hashable, Sendable {
    let index: UInt16
    let information: MgmtInformation
  }

  let mgmt: MgmtSocket
  let host: any BluetoothHost

  /// The adapters that can be used, by number.
  func all() async throws(SourceError) -> [Found] {
    do throws(MgmtError) {
      var found: [Found] = []
      for index in MgmtPacket.list(try await mgmt.send(MgmtOpcode.readIndexList)).sorted() {
        // One may go while the others are asked.
        guard let reply = try? await mgmt.send(MgmtOpcode.readInformation, to: index),
          let information = MgmtInformation(reply)
        else { continue }
        found.append(Found(index: index, information: information))
      }
      return found
    } catch {
      throw SourceError(.lost, "the kernel's Bluetooth management does not answer (\(error))")
    }
  }

  /// The adapter that `target` is about, noted there.
  ///
  /// - Throws: ``SourceError`` saying what there is instead.
  func find(_ target: AdapterTarget) async throws(SourceError) -> Found {
    let all = try await all()
    let match: Found? =
      switch target.wanted {
      case .index(let index): all.first { $0.index == index }
      case .address(let address): all.first { $0.information.address == address }
      case nil: preferred(all)
      }
    guard let match else { throw await absent(target, all) }
    guard match.information.supported.contains(.lowEnergy) else {
      throw SourceError(
        .noAdapter, "hci\(match.index) does not support Bluetooth LE",
        remedy: "choose \(.otherAdapter)")
    }
    target.found(match.index, match.information.address)
    return match
  }

  /// The first that is on and has LE, else the first that has LE, else the first.
  private func preferred(_ all: [Found]) -> Found? {
    let lowEnergy = all.filter { $0.information.supported.contains(.lowEnergy) }
    return lowEnergy.first { $0.information.current.contains(.powered) } ?? lowEnergy.first
      ?? all.first
  }

  private func absent(_ target: AdapterTarget, _ all: [Found]) async -> SourceError {
    let taken = ((try? host.devices()) ?? []).filter { index in
      !all.contains { $0.index == index }
    }
    let unconfigured = MgmtPacket.list(
      (try? await mgmt.send(MgmtOpcode.readUnconfiguredIndexList)) ?? [])
    let candidates = taken.filter { index in
      if case .index(let wanted) = target.wanted { index == wanted } else { true }
    }
    if let index = candidates.first(where: unconfigured.contains) {
      return SourceError.unusable(
        "hci\(index) waits for its configuration: it has no address or no firmware",
        remedy: "see dmesg; btmgmt public-addr sets an address")
    }
    if let index = candidates.first, all.isEmpty || target.wanted == .index(index) {
      return AdapterProblem.exclusive(index, on: host)
    }
    guard !all.isEmpty, let wanted = target.wanted else { return AdapterProblem.none(on: host) }
    let others = all.map { found in
      found.information.address.map { "hci\(found.index) (\($0))" } ?? "hci\(found.index)"
    }
    return SourceError(
      .noAdapter, "there is no adapter \(wanted)",
      remedy: "there is \(others.joined(separator: ", "))")
  }
}
