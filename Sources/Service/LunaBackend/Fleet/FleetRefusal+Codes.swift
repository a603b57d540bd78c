import LunaFleet

extension FleetRefusal {
  /// The error of LunaFleet in it.
  var fleetError: FleetError? {
    switch self {
    case .error(let error), .taken(let error, _, _): error
    case .fields(let errors): errors.errors.first
    default: nil
    }
  }

  /// What programs know it by.
  var code: String {
    switch self {
    case .error(let error), .taken(let error, _, _): error.code.rawValue
    case .fields(let errors): errors.errors.first?.code.rawValue ?? "fieldValue"
    case .conflicts, .deviceConflicts: "revisionConflict"
    case .futureRevision: "futureRevision"
    case .otherRevision: "ifMatch"
    case .missing: "notFound"
    case .notRemoved: "notRemoved"
    case .countChanged: "countChanged"
    case .dryRun: "dryRun"
    case .limit: "limit"
    }
  }
}
