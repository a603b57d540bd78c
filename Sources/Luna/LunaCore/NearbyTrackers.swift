/// Who hears the trackers nearby, and tells what is known of them: `LunaLocal`, for `LunaOnboarder`.
public protocol NearbyTrackers: Sendable {
  /// One's own devices, heard or not, then the foreign trackers that are present.
  var devices: [LocalDevice] { get }

  /// Rings a bell whenever one of them was heard, also one whose onboarding has not ended, for as long
  /// as somebody has the bell.
  func tell(_ bell: Bell)

  /// Follows a device whose onboarding has not ended, for as long as one listens. It is not among
  /// ``devices``.
  ///
  /// - Returns: what is known of it; nil when nobody listens.
  func follow(pending device: Device) -> LocalDevice?

  /// The onboarding of a device has ended: it is among ``devices`` from now on.
  func follow(onboarded device: Device)
}
