import LunaCore
import LunaJSON
import LunaProtocol
import LunaStore

// Trackers as they are told of.

extension LunaHome {
  /// Where a tracker is, is told so often at most, µs.
  static let locationEvery: Int64 = 1_000_000

  /// A tracker with all that is known of it now.
  func tracker(_ entry: TrackerEntry) -> HomeTracker {
    let device = devices[entry.id]
    return HomeTracker(
      id: entry.id, name: name(of: entry), device: device?.uuid.description,
      model: entry.modelName, icon: entry.icon, tags: entry.tags,
      actions: entry.actions(of: device), values: entry.offered.map { value($0, of: entry) },
      // A share may be said to last for longer than there are dates.
      sharedUntil: device?.shared.map { max(0, min($0.until, Int64(UInt32.max))) * 1_000_000 })
  }

  /// How people call a tracker: as the file says it, else as its device is called.
  func name(of entry: TrackerEntry) -> String {
    guard !entry.isNamed, let name = devices[entry.id]?.name, !name.isEmpty else {
      return entry.name
    }
    return name
  }

  /// Says which firmware trackers had when they were made one's own, which nothing that is heard tells; and which ones
  /// somebody else shares, by which they are known when that has ended.
  func tellFirmware() {
    take(
      devices.keys.sorted().compactMap { id in
        devices[id]?.firmware.map {
          .value(tracker: id, property: "firmware", .text("\($0 >> 8).\($0 & 0xFF)"))
        }
      })
    take(
      devices.keys.sorted().compactMap { id in
        devices[id]?.shared.map { _ in
          .value(tracker: id, property: "family", .text(DeviceKind.lunaShared.rawValue))
        }
      })
  }

  /// When a tracker was last heard, µs since 1970: also before this process began.
  func lastSeen(_ id: String) -> Int64? {
    if let heard = ear.lastSeen(id) { return heard }
    guard case .text(let text)? = engine?.state.trackers[id]?.properties["lastSeen"]?.value else {
      return nil
    }
    return HomeTime.microseconds(text)
  }

  /// Tells where a tracker is when it is another place than was told last, and now and then so that its
  /// age is right. Of what was heard here other places are kept; reports are kept as they come.
  /// That is once a second at most (HOME.md 4): what comes sooner waits, and then only the last of it is told.
  func tellLocation(of id: String) {
    owedFixes.remove(id)
    guard let entry = loaded?.configuration.trackers.first(where: { $0.id == id }),
      entry.offered.contains("location"), let fix = engine?.state.trackers[id]?.fix
    else { return }
    let (told, boot) = (toldFixes[id], now.boot)
    let last = told?.fix
    let hasMoved =
      last.map {
        Geodesy.distance($0.latitude, $0.longitude, fix.latitude, fix.longitude)
          >= entry.property("location").minChange
          || abs($0.accuracy - fix.accuracy) >= 10
      } ?? true
    // Also where the clock was set back.
    guard hasMoved || abs(fix.time - (last?.time ?? 0)) >= HomeEar.slot else { return }
    if let told, boot - told.at < LunaHome.locationEvery {
      owedFixes.insert(id)
      return
    }
    toldFixes[id] = (fix, boot)
    tell(.value(tracker: id, value("location", of: entry)))
    // The box itself may move all day.
    guard hasMoved, id != "self", fix.report.hasPrefix("box-") else { return }
    pending.positions.append(
      (
        id,
        HomeTrackPoint(
          time: fix.time, latitude: fix.latitude, longitude: fix.longitude,
          accuracy: fix.accuracy, source: "box", report: 0)
      ))
    markPending()
  }

  private func value(_ name: String, of entry: TrackerEntry) -> HomeValue {
    guard let engine else { return HomeValue(name: name, value: .null, at: nil, isFresh: false) }
    let moment = now
    // Boot times of the state are those of the last input.
    func wall(_ boot: Int64) -> Int64 { moment.wall - (moment.boot - boot) }
    let state = engine.state.trackers[entry.id]
    switch name {
    case "lastSeen":
      let seen = lastSeen(entry.id)
      return HomeValue(
        name: name, value: seen.map { .string(HomeTime.text($0)) } ?? .null, at: seen,
        isFresh: seen != nil)
    case "location":
      guard let fix = state?.fix, let at = state?.fixedAt else { break }
      return HomeValue(
        name: name,
        value: [
          "latitude": .real(fix.latitude), "longitude": .real(fix.longitude),
          "accuracy": .real(fix.accuracy),
          "source": .string(fix.report.hasPrefix("box-") ? "box" : "report"),
          "simulated": .bool(settings.isSimulated),
        ], at: fix.time, isFresh: moment.boot - at <= 86_400_000_000)
    case "zones":
      guard let state, let at = state.fixedAt else { break }
      let inside = engine.configuration.places.filter { state.places[$0.id]?.isInside == true }
      return HomeValue(
        name: name, value: .array(inside.map { .string($0.id) }), at: wall(at),
        isFresh: moment.boot - at <= 86_400_000_000)
    case "zone":
      guard let state, let at = state.fixedAt, let zone = state.properties["zone"] else { break }
      // Without a fix for a day nobody knows.
      let isFresh = moment.boot - at <= 86_400_000_000
      return HomeValue(
        name: name, value: isFresh ? zone.value.json : "unknown", at: wall(at), isFresh: isFresh)
    case "present":
      guard let presence = state?.presence[-127] else { break }
      let value: JSONValue =
        presence.isUnknown || presence.isPresent == nil
        ? "unknown" : presence.isPresent == true ? "yes" : "no"
      let said = state?.properties["present"].map { wall($0.toldAt) }
      return HomeValue(name: name, value: value, at: said, isFresh: !presence.isUnknown)
    default:
      guard let known = state?.properties[name] else { break }
      return HomeValue(
        name: name, value: known.value.json, at: wall(known.said),
        isFresh: entry.property(name).maxAge.map { moment.boot - known.said <= $0.microseconds }
          ?? true)
    }
    let unknown: JSONValue = ["zone", "present"].contains(name) ? "unknown" : .null
    return HomeValue(name: name, value: unknown, at: nil, isFresh: false)
  }
}
