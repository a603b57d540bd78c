/// What every family's type can do. The type holds the fields of one frame; its initialiser, whose
/// parameters differ from family to family, takes the bytes and gives nil when they are not a frame
/// of the family.
public protocol BeaconFrame: Hashable, Sendable {
  /// The family.
  static var family: BeaconFamily { get }

  /// The fields that ``write(to:)`` can write, each once: what a filter may name.
  static var fields: [BeaconField] { get }

  /// What this is, for people: `AirTag (separated)`.
  var title: String { get }

  /// Writes the fields, those alone that are known.
  func write(to writer: inout some BeaconFieldWriter)
}
