/// What is done with a frame whatever its family: with this, the list of all families is written
/// down once, in ``Beacon``.
@usableFromInline
protocol BeaconVisitor {
  associatedtype State
  associatedtype Result

  static func visit(_ frame: some BeaconFrame, _ state: inout State) -> Result
}
