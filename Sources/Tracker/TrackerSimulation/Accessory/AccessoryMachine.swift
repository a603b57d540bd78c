import Bluetooth
import TrackerMachine
import VirtualRadio

/// An accessory of another maker, as a value: what IETF DULT
/// (draft-ietf-dult-accessory-protocol-00) and the AirTag's own sound service let strangers do.
/// Times are ms since the room was opened.
struct AccessoryMachine: Sendable {
  /// What comes of a write.
  enum Answer: Equatable, Sendable {
    /// It is taken; these are indicated.
    case taken([[UInt8]])
    /// It is refused with an error of the Attribute Protocol.
    case refused(UInt8)
  }

  /// How long it sounds, ms ("Play sound": 5 to 30 s).
  static let soundLength: Int64 = 10_000
  /// What asks the AirTag's own service for a sound.
  static let airTagSound: [UInt8] = [0xAF]

  let identity: AccessoryIdentity
  let isSeparated: Bool
  /// When the sound ends; nil while it is silent.
  private(set) var soundUntil: Int64?
  /// Whether it was started by the peer that is connected, over DULT.
  private var isSoundOfPeer = false

  init(_ accessory: VirtualAccessory) {
    identity = accessory.kind == .airTag ? .airTag : .dult
    isSeparated = accessory.isSeparated
  }

  /// Time passed; what is indicated then.
  mutating func advance(to now: Int64) -> [[UInt8]] {
    guard let soundUntil, now >= soundUntil else { return [] }
    return endSound()
  }

  /// The peer is gone; a sound goes on to its end.
  mutating func disconnected() { isSoundOfPeer = false }

  /// The AirTag's own sound service was written to.
  mutating func writeAirTag(_ bytes: [UInt8], at now: Int64) -> Answer {
    guard bytes == AccessoryMachine.airTagSound else { return .refused(0x13) }
    guard isSeparated else { return .refused(0x80) }
    if soundUntil == nil { soundUntil = now + AccessoryMachine.soundLength }
    return .taken([])
  }

  /// The characteristic of DULT was written to.
  mutating func write(_ bytes: [UInt8], at now: Int64) -> Answer {
    guard let opcode = StrangerSound.opcode(bytes) else {
      return .taken([StrangerSound.response(to: bytes, .invalidLength)])
    }
    func response(_ status: StrangerSound.Status) -> [UInt8] {
      StrangerSound.response(to: bytes, status)
    }
    let isKnown = opcode == StrangerSound.start || opcode == StrangerSound.stop
    guard isKnown || identity.operands[opcode] != nil else {
      return .taken([response(.invalidCommand)])
    }
    guard bytes.count == 2 else { return .taken([response(.invalidLength)]) }
    // "Accessory information" and "Non-owner controls" are there only while it is separated.
    guard isSeparated else { return .taken([response(.invalidCommand)]) }
    switch opcode {
    case StrangerSound.start:
      guard soundUntil == nil else { return .taken([response(.invalidState)]) }
      soundUntil = now + AccessoryMachine.soundLength
      isSoundOfPeer = true
      return .taken([response(.success)])
    case StrangerSound.stop:
      guard soundUntil != nil, isSoundOfPeer else { return .taken([response(.invalidState)]) }
      return .taken([response(.success)] + endSound())
    default:
      let answer = opcode | 0x0800
      return .taken([
        [UInt8(truncatingIfNeeded: answer), UInt8(answer >> 8)] + (identity.operands[opcode] ?? [])
      ])
    }
  }

  private mutating func endSound() -> [[UInt8]] {
    defer {
      soundUntil = nil
      isSoundOfPeer = false
    }
    return isSoundOfPeer ? [StrangerSound.completed] : []
  }
}
