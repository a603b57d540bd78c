public import LunaProtocol

/// What a tracker does, in the order in which it is to be done. When one fails, the rest must not
/// be done: a frame or an answer must never be out before what stands for it is in flash.
public enum TrackerAction: Sendable {
  /// Put this into flash, synced, before anything that follows.
  case store(TrackerRecord)
  /// Advertise this from now on, all of it in one step.
  case advertise(TrackerAdvertisement)
  /// Send nothing until the next ``advertise(_:)``: somebody is connected.
  case silence
  /// Answer the read or write that was asked for.
  case respond(TrackerResponse)
  /// Indicate a value to the connected peer.
  case indicate(TrackerCharacteristic, [UInt8])
  /// End the connection, once what was indicated is confirmed.
  case disconnect
  /// Make a sound for so many seconds; starts again when it sounds already.
  case startSound(seconds: Int)
  /// Be silent.
  case stopSound
  /// Blink for so many seconds.
  case startLight(seconds: Int)
  /// Stop blinking.
  case stopLight
  /// The tracker is now in this state.
  case stateChanged(OnboardingState)
}
