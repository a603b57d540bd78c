/// What is done with a frame whatever its family: with this, the list of all families is written
/// down once, in ``Beacon``.
@usableFromInline
protocol BeaconVisitor {
  associatedtype State
  associatedtype Result

  static func visit(_ frame: some BeaconFrame, _ state: inout State) -> Result
}

/// Asks for the family.
@usableFromInline
enum FamilyVisitor: BeaconVisitor {
  @inlinable
  static func visit<Frame: BeaconFrame>(_ frame: Frame, _: inout Void) -> BeaconFamily {
    Frame.family
  }
}

/// Asks for the title.
@usableFromInline
enum TitleVisitor: BeaconVisitor {
  @inlinable
  static func visit(_ frame: some BeaconFrame, _: inout Void) -> String { frame.title }
}

/// Has the fields written.
@usableFromInline
enum FieldVisitor<Writer: BeaconFieldWriter>: BeaconVisitor {
  @inlinable
  static func visit(_ frame: some BeaconFrame, _ writer: inout Writer) {
    frame.write(to: &writer)
  }
}
