import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// Looking for devices that were missed (PROTOCOL.md, 11.3).
extension TrackerFollower {
  /// The least time between two searches of a tier, µs of real time.
  private static let pauses: [UInt64] = [10_000_000, 30_000_000]
  /// How many identifiers are derived when a search begins, and with each report after that.
  private static let firstBudget = 50_000
  private static let budget = 2000
  /// What a point multiplication costs, in derivations of a LunaTracker's identifier.
  private static let slowCost = 200
  /// How long ago an unknown identifier may have been heard, µs.
  private static let memory: UInt64 = 300_000_000

  /// Begins or continues to search. What is done depends on the reports alone.
  func searchOn() {
    if search == nil { beginSearch() } else { searchOn(budget: TrackerFollower.budget) }
  }

  private func beginSearch() {
    for tier in 0..<2 where unknown.unsearched[tier] > 0 {
      let last = lastSearches[tier]
      guard
        last == .unknown
          || TrackerFollower.distance(now, last) >= TrackerFollower.pauses[tier]
      else { continue }
      lastSearches[tier] = now
      let targets = unknown.entries.filter {
        $0.value.tier == tier
          && TrackerFollower.distance(now, $0.value.lastHeard) < TrackerFollower.memory
      }
      let kinds = Set(targets.values.map(\.kind))
      let missing = tracked.indices.filter {
        !tracked[$0].isPresent && tracked[$0].device.hasClock
          && kinds.contains(tracked[$0].device.keys.kind.sends)
      }
      guard !targets.isEmpty, !missing.isEmpty else {
        unknown.markSearched(targets.keys, tier: tier)
        continue
      }
      search = WideSearchPass(
        tier: tier, keys: Set(targets.keys), kinds: kinds,
        counters: Set(targets.values.compactMap(\.counter)).sorted(), devices: missing)
      searchOn(budget: TrackerFollower.firstBudget)
      if search != nil { return }
    }
  }

  /// The time between two moments, whichever is later, µs.
  private static func distance(_ one: Timestamp, _ other: Timestamp) -> UInt64 {
    (one.microseconds &- other.microseconds).magnitude
  }

  private func searchOn(budget: Int) {
    guard var pass = search else { return }
    var budget = budget
    while budget > 0, pass.place < pass.devices.count {
      let device = tracked[pass.devices[pass.place]]
      let wide = WideSearch(
        at: time, onboarding: onboarding(of: device), rotation: device.rotation)
      let range = pass.tier == 0 ? wide.tier2 : wide.tier3
      let start = pass.nextPeriod ?? range.first
      guard !device.isPresent, start <= range.last else {
        pass.place += 1
        pass.nextPeriod = nil
        continue
      }
      guard let end = searchPiece(device, pass, from: start, to: range.last, &budget) else {
        pass.nextPeriod = start
        break
      }
      if end < range.last {
        pass.nextPeriod = end + 1
      } else {
        pass.place += 1
        pass.nextPeriod = nil
      }
    }
    if pass.place < pass.devices.count {
      search = pass
    } else {
      unknown.markSearched(pass.keys, tier: pass.tier)
      search = nil
    }
  }

  private func onboarding(of device: TrackedDevice) -> Int64 {
    device.lunaKeys == nil
      ? device.device.onboardingTimestamp.unixMilliseconds
      : 1000 * Int64(device.device.onboardingSeconds)
  }

  /// Searches some periods of a device; returns the last one, or nil when the budget did not do.
  private func searchPiece(
    _ device: TrackedDevice, _ pass: WideSearchPass, from first: UInt32, to last: UInt32,
    _ budget: inout Int
  ) -> UInt32? {
    if device.device.keys.kind == .luna {
      // Frames tell the lowest byte of their period: of 256 periods a few remain.
      guard let keys = device.lunaKeys else { return last }
      let end = first + min(last - first, 0x3FFF)
      for counter in pass.counters {
        var period = UInt64(first) + UInt64(counter &- UInt8(truncatingIfNeeded: first))
        while period <= UInt64(end) {
          let number = UInt32(truncatingIfNeeded: period)
          let eid = deriver.schedule.eid(keys.identification, period: number)
          if pass.keys.contains(eid.value) { found(eid.value, device, number) }
          period += 256
          budget -= 1
        }
      }
      budget -= 16
      return end
    }
    var hits: [(UInt32, UInt64)] = []
    let end: UInt32
    if DerivationChunk.byteCount(device.device.keys) > 0 {
      guard first <= DerivationChunk.lastPeriod else { return last }
      end = min(
        last, DerivationChunk.key(device.device, sequence: 0, period: first).periods.last)
      guard prepare(device, first, &budget) else { return budget > 0 ? last : nil }
      deriver.slowKeys(
        of: device, periods: PeriodRange(first: first, last: end), sequence: 0
      ) { if pass.keys.contains($1) { hits.append(($0, $1)) } }
    } else {
      end = first + min(last - first, DerivationChunk.count - 1)
      deriver.keys(of: device, periods: PeriodRange(first: first, last: end)) {
        if pass.keys.contains($1) { hits.append(($0, $1)) }
      }
    }
    budget -= Int(end - first + 1)
    for (period, key) in hits { found(key, device, period) }
    return end
  }

  /// Derives what is searched next; false when the budget is used up, or the keys are of no use.
  private func prepare(
    _ device: TrackedDevice, _ period: UInt32, _ budget: inout Int
  ) -> Bool {
    let before = max(1, budget / TrackerFollower.slowCost)
    var points = before
    do throws(CryptoError) {
      let isDone = try deriver.slow.prepare(
        device.device, sequence: 0, period: period, budget: &points)
      if points < before { hasNews = true }
      budget -= (before - points) * TrackerFollower.slowCost
      if !isDone { budget = min(budget, 0) }
      return isDone
    } catch {
      tell(.unusableKeys(device.device.uuid))
      return false
    }
  }

  /// From now on the index knows it; the next frame tells whether it is to be believed.
  private func found(_ key: UInt64, _ device: TrackedDevice, _ period: UInt32) {
    let next = period.addingReportingOverflow(1)
    device.provisional = PeriodRange(
      first: period, last: next.overflow ? period : next.partialValue)
    add(device, device.provisional)
    unknown.forget(key)
  }
}
