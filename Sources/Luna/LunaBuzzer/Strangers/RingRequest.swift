/// What a tracker of somebody else is to do.
enum RingRequest: Hashable, Sendable {
  /// Sound until this time is over, or it ends by itself.
  case start(Duration)
  /// Be silent.
  case stop

  var opcode: UInt16 {
    switch self {
    case .start: DULTOpcode.soundStart
    case .stop: DULTOpcode.soundStop
    }
  }
}
