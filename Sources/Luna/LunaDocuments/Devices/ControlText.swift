import Bluetooth
package import LunaBuzzer
package import LunaProtocol

/// Commands to trackers and what became of them, as sentences for people.
package enum ControlText {
  /// For how many seconds a tracker sounds that has answered; nil where it was told something else.
  package static func soundSeconds(_ receipt: ControlReceipt) -> Int? {
    guard receipt.package.command == .buzzStart else { return nil }
    let argument = Int(receipt.package.argument)
    return argument == 0 ? Int(ControlCommand.defaultSeconds) : argument
  }

  /// What a tracker does after a package, whoever has made that.
  ///
  /// - Parameter label: what the tracker is called.
  package static func delivered(_ receipt: ControlReceipt, to label: String) -> String {
    let proof = receipt.verified == nil ? ", as it says; only its owner can verify that" : ""
    if let seconds = soundSeconds(receipt) { return "\(label) sounds for \(seconds) s\(proof)" }
    let command = receipt.package.command
    guard command != .buzzStop else { return "\(label) is silent\(proof)" }
    return "\(label) has executed \(command?.name ?? "the command")\(proof)"
  }

  /// What a tracker of one's own has done.
  ///
  /// - Parameter name: what the tracker is called.
  package static func done(
    _ command: ControlCommand, _ receipt: ControlReceipt, by name: String
  ) -> String {
    func seconds(_ milliseconds: Int64) -> String { DecimalText.text(milliseconds, digits: 3) }
    switch command {
    case .ping:
      guard let clock = receipt.clock else { return "\(name) answers" }
      return "\(name) answers; its clock less ours is between \(seconds(clock.low)) and "
        + "\(seconds(clock.high)) s"
    case .setClock: return "the clock of \(name) is set"
    case .ownerHere: return "\(name) knows that its owner is near"
    case .factoryReset: return "\(name) has forgotten its owner"
    default: return "\(name) blinks for \(receipt.package.argument) s"
    }
  }

  /// How far a command has come.
  ///
  /// - Parameter label: what the tracker is called.
  package static func text(_ progress: BuzzerProgress, of label: String) -> String {
    switch progress {
    case .waiting: "waiting for \(label) to accept a connection"
    case .connecting(let peer, let attempt):
      "connecting to \(peer)" + (attempt > 1 ? ", attempt \(attempt)" : "")
    case .connected: "connected"
    case .sent: "command sent"
    case .retrying(let reason): "\(reason); again"
    case .detail(let text): text
    }
  }

  /// What a tracker of somebody else does.
  ///
  /// - Parameter label: what the tracker is called.
  package static func text(_ news: RingNews, of label: String) -> String {
    switch news {
    case .sounding(let kind, let isConfirmed):
      let doubt = isConfirmed ? "" : "; it does not say so, and stops by itself"
      return "\(label) sounds (\(kind.title))\(doubt)"
    case .ended(let isConfirmed):
      return isConfirmed
        ? "\(label) is silent" : "\(label) was told to be silent, but did not confirm it"
    case .lost(let reason):
      return
        "the connection to \(label) is gone (\(reason)); the sound ends by itself within 30 s"
    }
  }
}
