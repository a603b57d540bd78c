/// Why something was not done with the fleet.
enum FleetFailure: Error {
  /// It may not be.
  case refused(FleetRefusal)
  /// The storage failed.
  case storage(StorageError)
}
