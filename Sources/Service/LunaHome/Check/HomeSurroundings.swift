/// What the check of a file asks about the machine that it is for. A value, so that tests can say
/// what holds.
public struct HomeSurroundings: Sendable {
  /// What is wrong with a file that holds a secret.
  public enum SecretFile: Sendable {
    /// It is there, for its owner alone, or nobody can tell.
    case fine
    /// It is not there.
    case absent
    /// Others may read it.
    case open
  }

  /// Whether the system knows a time zone.
  public var isZone: @Sendable (String) -> Bool
  /// Whether there is a library that is loaded when it is used, as `libmosquitto`.
  public var hasLibrary: @Sendable (String) -> Bool
  /// How a file with a secret is protected.
  public var secretFile: @Sendable (String) -> SecretFile
  /// The registered types of devices.
  public var classes: Set<String>
  /// Trackers, places, contacts and rules that are not in the file but known.
  public var known: Set<String>

  /// Surroundings; without arguments nothing is amiss with them.
  public init(
    isZone: @escaping @Sendable (String) -> Bool = { _ in true },
    hasLibrary: @escaping @Sendable (String) -> Bool = { _ in true },
    secretFile: @escaping @Sendable (String) -> SecretFile = { _ in .fine },
    classes: Set<String> = ["Device", "AylaDevice", "ALDevice"], known: Set<String> = []
  ) {
    self.isZone = isZone
    self.hasLibrary = hasLibrary
    self.secretFile = secretFile
    self.classes = classes
    self.known = known
  }
}
