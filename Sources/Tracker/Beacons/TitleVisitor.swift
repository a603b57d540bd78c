/// Asks for the title.
@usableFromInline
enum TitleVisitor: BeaconVisitor {
  @inlinable
  static func visit(_ frame: some BeaconFrame, _: inout Void) -> String { frame.title }
}
