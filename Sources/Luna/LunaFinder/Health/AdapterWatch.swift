import Bluetooth
import LunaCore

/// How each adapter of a source is, from the steps that bring it back: one may be gone while the others deliver, and then
/// nothing else tells of it.
struct AdapterWatch: Sendable {
  /// What has been brought back in vain for so long has failed.
  static let patience = Duration.seconds(300)

  private struct Trouble {
    let state: AdapterHealth.State
    let since: Duration
  }

  private var troubles: [String: Trouble] = [:]
  /// What was heard, by the number that the kernel gives an adapter.
  private var heard: [UInt16: Int] = [:]
  /// Why the source has ended; nil while that is not known.
  private var ending: SourceError?

  /// Something was heard.
  mutating func count(_ report: borrowing AdvertisingReport) {
    if let adapter = report.adapter { heard[adapter, default: 0] += 1 }
  }

  /// How much an adapter has heard since ``keep(_:)``.
  func packets(of name: String) -> Int { AdapterWatch.index(of: name).flatMap { heard[$0] } ?? 0 }

  /// Something was done to bring an adapter back, or came of it.
  mutating func take(_ step: RecoveryStep, at now: Duration) {
    let state: AdapterHealth.State? =
      switch step.outcome {
      case .waiting: step.isOff ? .off : .lost
      case .failed: .recovering
      // A scan that was started anew runs.
      case .done: step.kind == .scan ? nil : .recovering
      case .recovered, .quiet: nil
      }
    troubles[step.adapter] = state.map {
      Trouble(state: $0, since: troubles[step.adapter]?.since ?? now)
    }
  }

  /// The source could not begin or go on, and is not tried again.
  mutating func end(because error: SourceError) { ending = error }

  /// How an adapter is.
  ///
  /// - Parameter whole: how it stands with the source as a whole.
  func state(of name: String, in whole: FinderState?, at now: Duration) -> AdapterHealth.State {
    if case .lost? = whole { return hasEndedOff(name) ? .off : .lost }
    if let trouble = troubles[name] {
      let isOver = trouble.state == .recovering && now - trouble.since >= AdapterWatch.patience
      return isOver ? .lost : trouble.state
    }
    switch whole {
    case .listening?, .underAttack?: return .scanning
    case .recovering?: return .recovering
    case .lost?: return .lost
    case nil: return .idle
    }
  }

  /// Whether the source has ended while an adapter is switched off, which is no failure of that adapter.
  private func hasEndedOff(_ name: String) -> Bool {
    guard let error = ending?.failures[name] ?? ending else { return false }
    return error.kind == .off && !error.mayBeBroken
  }

  /// A new minute begins, with these adapters: one that came back with another number has left its old one.
  mutating func keep(_ names: [String]) {
    heard = [:]
    troubles = troubles.filter { names.contains($0.key) }
  }

  /// The N of `hciN`; nil for any other name.
  static func index(of name: String) -> UInt16? {
    guard name.hasPrefix("hci"), name.utf8.dropFirst(3).allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return UInt16(name.dropFirst(3))
  }
}
