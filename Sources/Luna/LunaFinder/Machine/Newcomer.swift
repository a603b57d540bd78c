/// Who was heard in a flood of new ones, in this second and in one before.
struct Newcomer: Sendable {
  let heard: HeardFrame
  /// When that was.
  let elapsed: Duration
  let seconds: HeardSeconds

  var identity: FrameIdentity { FrameIdentity(heard.frame) }
}
