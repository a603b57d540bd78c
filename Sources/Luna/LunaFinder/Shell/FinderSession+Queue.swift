import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

/// What the queue is given, and what it tells.
extension FinderSession {
  /// Lets the queue look after itself, and tells what has happened to it.
  func tend() async {
    for notice in await queue.tend(at: moment.now) {
      switch notice {
      case .full(let count): tell(.dropped(reason: DropReason.queueFull, count: count))
      case .renewed(let reason, let lost, let setAside):
        tell(.queueRenewed(reason: reason, lost: lost, setAside: setAside))
        if let lost, lost > 0 { tell(.dropped(reason: DropReason.storage, count: lost)) }
      case .homeless(let error):
        tell(
          .problem(
            FinderError(
              .storage, "the queue's file is gone, and there is no new one yet: \(error.reason)",
              remedy: error.remedy)))
      }
    }
  }

  /// Has the queue write what it has only counted so far. What it cannot, ends with this process.
  func settleCounts() async {
    if flood != nil { await queue.note(nil) }
    await tend()
    guard let status = try? await queue.status(at: moment.now) else { return }
    if status.homeless > 0 {
      tell(.dropped(reason: DropReason.storage, count: status.homeless))
      let lost = FinderError(
        .storage,
        "\(status.homeless) events are lost: the queue's file is gone, and there is no new one",
        remedy: "this message is all that tells of them")
      if failure == nil { failure = lost } else { tell(.problem(lost)) }
    }
    guard !status.unwritten.isEmpty else { return }
    let counts = status.unwritten.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    tell(
      .problem(
        FinderError(
          .storage, "losses could not be noted on the disk (\(counts.joined(separator: ", ")))",
          remedy: "this message is all that tells of them")))
  }

  func store(_ events: [TrackerEvent], of sightings: [FinderSighting]) async {
    var heids: [FrameIdentity: HEID] = [:]
    for (event, sighting) in zip(events, sightings) { heids[sighting.identity] = event.heid }
    for isDoubtful in [false, true] {
      let some = zip(events, sightings).filter { $1.isDoubtful == isDoubtful }
      if !some.isEmpty { await store(some, isDoubtful) }
    }
    await tend()
    await dispatch(.queued(heids, waiting: await queue.waiting))
  }

  private func store(_ sealed: [(TrackerEvent, FinderSighting)], _ isDoubtful: Bool) async {
    do throws(DeviceStoreError) {
      try await queue.append(sealed.map(\.0), at: moment.now, isDoubtful: isDoubtful)
      storageIsBroken = false
      for (event, sighting) in sealed {
        tell(.found(heid: event.heid, rssi: sighting.heard.rssi, at: sighting.collectedAt))
      }
    } catch {
      tell(.dropped(reason: DropReason.storage, count: sealed.count))
      // Once is enough until it works again.
      if !storageIsBroken { tell(.problem(error)) }
      storageIsBroken = true
    }
  }
}
