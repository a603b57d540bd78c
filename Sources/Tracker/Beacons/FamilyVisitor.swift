/// Asks for the family.
@usableFromInline
enum FamilyVisitor: BeaconVisitor {
  @inlinable
  static func visit<Frame: BeaconFrame>(_ frame: Frame, _: inout Void) -> BeaconFamily {
    Frame.family
  }
}
