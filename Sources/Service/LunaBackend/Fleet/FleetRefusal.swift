import LunaFleet
import LunaJSON

/// Why the fleet does not do what was asked.
enum FleetRefusal: Error {
  /// An error of LunaFleet.
  case error(FleetError)
  /// Fields that cannot be so; for an import, those of all lines.
  case fields(FieldErrors)
  /// The same with the record that is in the way, or the change that would have to be undone.
  case taken(FleetError, gateway: Gateway, change: Int64?)
  /// Others changed the same fields.
  case conflicts([FieldConflict], Gateway)
  /// The same in a device.
  case deviceConflicts([FieldConflict], FleetDevice)
  /// The edit is of a revision that does not exist.
  case futureRevision
  /// The record is not at a revision for which it was asked.
  case otherRevision
  /// There is no such gateway, device, change or picture.
  case missing(String)
  /// Only removed records are dropped for good.
  case notRemoved
  /// A search found another number of gateways than the one that was seen.
  case countChanged(Int)
  /// It would have been done, to so many records, but was only tried.
  case dryRun(Int)
  /// There is too much of something.
  case limit(String)
}
