import LunaCore
import LunaCrypto
import LunaProtocol

/// Deriving what takes long, a little at a time: whatever is followed, no call takes long.
extension TrackerFollower {
  /// Point multiplications that are made when following begins, with each report, and with each tick
  /// of the clock. A recording is in no hurry, and has no ticks.
  static let firstSlowBudget = 4096
  private static let slowBudget = 16
  private static let recordedSlowBudget = 1024
  private static let tickSlowBudget = 1024

  /// Takes note of periods that are to be in the index; those that are derived already are at once.
  func addSlow(_ device: TrackedDevice, _ periods: PeriodRange, sequence: UInt8) {
    let last = min(periods.last, DerivationChunk.lastPeriod)
    var first = periods.first
    while first <= last {
      let chunk = DerivationChunk.key(device.device, sequence: sequence, period: first)
      let end = min(last, chunk.periods.last)
      let piece = SlowPiece(
        device: device.number, sequence: sequence, periods: PeriodRange(first: first, last: end))
      if deriver.slow.has(device.device, sequence: sequence, period: first) {
        addToIndex(piece)
      } else {
        slowPieces.append(piece)
      }
      first = end + 1
    }
  }

  /// Goes on with what is to be derived. What is done depends on the reports alone.
  func deriveOn() {
    deriveOn(
      configuration.isRecording
        ? TrackerFollower.recordedSlowBudget : TrackerFollower.slowBudget)
  }

  /// Goes on with what is to be derived while nothing may be heard. To be called about once a second.
  package func deriveMeanwhile() { deriveOn(TrackerFollower.tickSlowBudget) }

  /// Whether a device may time out, or identifiers are still to be derived.
  var isWaiting: Bool {
    recency.first != nil || foreignRecency.first != nil || nextSlowPiece < slowPieces.count
  }

  func deriveOn(_ budget: Int) {
    guard nextSlowPiece < slowPieces.count else { return }
    var budget = budget
    while budget > 0, nextSlowPiece < slowPieces.count {
      let piece = slowPieces[nextSlowPiece]
      let device = tracked[Int(piece.device)]
      do throws(CryptoError) {
        guard
          try deriver.slow.prepare(
            device.device, sequence: piece.sequence, period: piece.periods.first, budget: &budget)
        else { return }
        hasNews = true
        addToIndex(piece)
      } catch {
        tell(.unusableKeys(device.device.uuid))
      }
      nextSlowPiece += 1
    }
    guard nextSlowPiece == slowPieces.count else { return }
    slowPieces.removeAll(keepingCapacity: true)
    nextSlowPiece = 0
  }

  private func addToIndex(_ piece: SlowPiece) {
    let device = tracked[Int(piece.device)]
    let mark: UInt32 = piece.sequence == 0 ? 0 : IdentifierKey.secondSequence
    deriver.slowKeys(of: device, periods: piece.periods, sequence: piece.sequence) { period, key in
      addToIndex(EIDIndex.Entry(key: key, device: device.number, period: period | mark))
    }
  }
}
