/// Has the fields written.
@usableFromInline
enum FieldVisitor<Writer: BeaconFieldWriter>: BeaconVisitor {
  @inlinable
  static func visit(_ frame: some BeaconFrame, _ writer: inout Writer) {
    frame.write(to: &writer)
  }
}
