/// Something that was done, or that is waited for, to bring back a scan that has stopped.
public struct RecoveryStep: Hashable, Sendable {
  /// What is done, from what disturbs least to what disturbs most.
  public enum Kind: String, Sendable, CaseIterable {
    /// Start the scan anew.
    case scan
    /// Switch the adapter off and on.
    case power
    /// Take back a block of rfkill's that came with an earlier step; never one that a person set.
    case rfkill
    /// Take the kernel's interface down and up.
    case interface
    /// Reset the USB device.
    case usb
    /// Nothing but wait: until the adapter is plugged in again, or switched on by whoever has
    /// switched it off.
    case wait
  }

  /// What came of it.
  public enum Outcome: String, Sendable, CaseIterable {
    /// It was done.
    case done
    /// It could not be done; the reason says why.
    case failed
    /// What is waited for has not come yet.
    case waiting
    /// The adapter delivers again; the step is the last one that was taken.
    case recovered
    /// All that could be tried was, and nothing is heard: the place is quiet. The scan goes on. The reason names what was
    /// refused.
    case quiet
  }

  /// `hciN`, or `h4` for a controller behind a byte stream.
  public var adapter: String
  /// What was done, or is waited for.
  public var kind: Kind
  /// What came of it.
  public var outcome: Outcome
  /// What is wrong; with a step that failed, why it did.
  public var reason: String
  /// The how manieth step it is since the scan has stopped, from 1 on.
  public var attempt: Int
  /// How long it took since the scan was found to have stopped; with `recovered` only.
  public var duration: Duration?
  /// Whether the adapter is switched off, as somebody wants it.
  package var isOff = false
  /// Whether it was refused before anything was done: then it is told, and not counted.
  package var isRefused = false

  /// A step, or what became of it.
  ///
  /// - Parameters:
  ///   - adapter: `hciN`, or `h4` for a controller behind a byte stream.
  ///   - attempt: counts the steps since the scan has stopped, from 1 on.
  ///   - duration: how long it took until the adapter delivered again; with `recovered` only.
  public init(
    adapter: String, kind: Kind, outcome: Outcome, reason: String, attempt: Int,
    duration: Duration? = nil
  ) {
    self.adapter = adapter
    self.kind = kind
    self.outcome = outcome
    self.reason = reason
    self.attempt = attempt
    self.duration = duration
  }
}

extension RecoveryStep {
  /// Whether something was done, whatever came of it.
  package var wasTaken: Bool { (outcome == .done || outcome == .failed) && !isRefused }
}

extension RecoveryStep: CustomStringConvertible {
  /// One clause for a person: `hci0: switching it off and on did not work: …`.
  public var description: String {
    switch outcome {
    case .done: "\(adapter): \(Self.words[kind] ?? kind.rawValue) (\(reason))"
    case .failed: "\(adapter): \(Self.words[kind] ?? kind.rawValue) failed: \(reason)"
    case .waiting: "\(adapter): waiting: \(reason)"
    case .recovered: "\(adapter): recovered (\(reason))"
    case .quiet: "\(adapter): \(reason)"
    }
  }

  /// What is done, for a person.
  package static let words: [Kind: String] = [
    .scan: "starting the scan anew", .power: "switching it off and on",
    .rfkill: "taking back the block of rfkill", .interface: "taking the interface down and up",
    .usb: "resetting the USB device", .wait: "waiting",
  ]
}
