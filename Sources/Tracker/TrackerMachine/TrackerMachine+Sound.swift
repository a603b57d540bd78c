import LunaProtocol

extension TrackerMachine {
  /// How long the sound for somebody who is not the owner lasts, s (PROTOCOL.md, 13: 5 to 30).
  static let strangerSeconds = 10
  /// From one such sound to the next, ms.
  static let strangerPause: Int64 = 60_000

  mutating func startSound(
    _ seconds: Int, _ origin: SoundOrigin, at uptime: Int64, _ actions: inout [TrackerAction]
  ) {
    soundUntil = uptime + 1000 * Int64(seconds)
    soundOrigin = origin
    actions.append(.startSound(seconds: seconds))
  }

  mutating func endSound(_ actions: inout [TrackerAction]) {
    soundUntil = nil
    actions.append(.stopSound)
    if soundOrigin == .stranger, let link {
      actions.append(.indicate(.nonOwnerSound, link.indication(of: StrangerSound.completed)))
    }
  }

  /// The non-owner sound service was written to (IETF DULT, accessory protocol, non-owner controls).
  mutating func soundForStranger(
    _ bytes: [UInt8], at uptime: Int64, _ actions: inout [TrackerAction]
  ) {
    let status = strangerStatus(bytes, at: uptime)
    let answer = StrangerSound.response(to: bytes, status)
    actions.append(.indicate(.nonOwnerSound, link?.indication(of: answer) ?? []))
    guard status == .success else { return }
    if StrangerSound.opcode(bytes) == StrangerSound.start {
      strangerSoundAt = uptime
      startSound(TrackerMachine.strangerSeconds, .stranger, at: uptime, &actions)
    } else {
      endSound(&actions)
    }
  }

  private func strangerStatus(_ bytes: [UInt8], at uptime: Int64) -> StrangerSound.Status {
    guard hardware.capabilities.contains(.nonOwnerSound) else { return .invalidCommand }
    switch StrangerSound.opcode(bytes) {
    case nil: return .invalidLength
    case StrangerSound.start:
      guard bytes.count == 2 else { return .invalidLength }
      let rested = strangerSoundAt.map { uptime - $0 >= TrackerMachine.strangerPause } ?? true
      return isSeparated(at: uptime) && rested && soundUntil == nil ? .success : .invalidState
    case StrangerSound.stop:
      guard bytes.count == 2 else { return .invalidLength }
      return soundUntil != nil && soundOrigin == .stranger ? .success : .invalidState
    default: return .invalidCommand
    }
  }
}
