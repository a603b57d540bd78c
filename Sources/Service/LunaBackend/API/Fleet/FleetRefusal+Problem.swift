import Diagnosis
import LunaCore
import LunaFleet
import LunaJSON
import WebAccess

extension FleetRefusal {
  /// The gateway that the caller is told of.
  var gateway: Gateway? {
    switch self {
    case .taken(_, let gateway, _), .conflicts(_, let gateway): gateway
    default: nil
    }
  }

  /// What the caller is told.
  ///
  /// - Parameter status: how ``gateway`` is.
  func problem(_ status: GatewayStatus) -> ProblemDocument {
    switch self {
    case .error(let error): ProblemDocument(error)
    case .fields(let errors): ProblemDocument(errors)
    case .taken(let error, let gateway, let change):
      ProblemDocument(
        error, and: ["gateway": .object(gateway.json(status))],
        change.map { ["change": .integer($0)] } ?? [:])
    case .conflicts(let conflicts, let gateway):
      FleetRefusal.conflict(conflicts, "gateway", gateway.json(status))
    case .deviceConflicts(let conflicts, let device):
      FleetRefusal.conflict(conflicts, "device", device.json(at: device.report.last))
    case .futureRevision:
      ProblemDocument(
        409, "revisionConflict", "There is no such revision yet.", detail: "read the record again")
    case .otherRevision:
      ProblemDocument(
        412, "ifMatch", "The record is not as If-Match says.", detail: "read the record again")
    case .missing(let what): .notFound(what)
    case .notRemoved:
      ProblemDocument(
        409, "notRemoved", "This gateway is not removed.",
        detail: "remove it first; until it is purged that can be undone")
    case .countChanged(let count):
      ProblemDocument(
        409, "countChanged", "The search finds another number of gateways than before.",
        detail: "it finds \(count) now", members: ["count": .integer(Int64(count))])
    case .dryRun: ProblemDocument(409, "dryRun", "It was only tried.")
    case .limit(let what):
      ProblemDocument(429, "limit", "There are too many already.", detail: what)
    }
  }

  private static func conflict(
    _ conflicts: [FieldConflict], _ name: String, _ record: JSONObject
  ) -> ProblemDocument {
    var values = JSONObject()
    for conflict in conflicts { values.append(conflict.field, conflict.json) }
    return ProblemDocument(
      409, "revisionConflict", "Somebody else has changed the same.",
      detail: "both changed \(conflicts.map(\.field).joined(separator: ", "))",
      members: ["conflicts": .object(values), name: .object(record)])
  }
}

extension ProblemDocument {
  /// What a caller is told of an error of the fleet.
  init(_ error: FleetError, and first: JSONObject = [:], _ second: JSONObject = [:]) {
    var members = JSONObject()
    if let field = error.field { members.append("field", .string(field)) }
    if let position = error.position {
      let name =
        switch error.code {
        case .search: "column"
        case .importLine: "line"
        default: "position"
        }
      members.append(name, .integer(Int64(position)))
    }
    members.members += first.members + second.members
    self.init(
      error.code.status, error.code.rawValue, error.code.title,
      detail: error.diagnosis.description, members: members)
  }

  /// What a caller is told of all errors of fields.
  init(_ errors: FieldErrors) {
    let list = errors.errors.map { error -> JSONValue in
      var object: JSONObject = [
        "code": .string(error.code.rawValue), "detail": .string(error.diagnosis.description),
      ]
      if let field = error.field { object.append("field", .string(field)) }
      if let line = error.position { object.append("line", .integer(Int64(line))) }
      return .object(object)
    }
    let first = errors.errors.first
    var members: JSONObject = ["errors": .array(list)]
    if let field = first?.field { members.append("field", .string(field)) }
    self.init(
      422, first?.code.rawValue ?? "fieldValue", first?.code.title ?? "A field is wrong.",
      detail: errors.diagnosis.description, members: members)
  }
}

extension FleetError.Code {
  /// The status that says it.
  var status: Int {
    switch self {
    case .alreadyEnrolled, .wasRemoved, .nameTaken, .notUndoable, .tooOld, .alreadyUndone,
      .changedSince, .gone:
      409
    case .notEnrolled, .gatewayRemoved, .signature: 403
    case .search: 400
    case .pictureType: 415
    case .pictureTooLarge: 413
    case .revisionMissing: 428
    default: 422
    }
  }

  fileprivate var title: String {
    switch self {
    case .qrEmpty, .qrNotLuna, .qrTracker, .qrVersion, .qrTooLong, .qrSymbol, .qrChecksum,
      .qrTruncated, .qrTwice, .qrValue, .qrMissing:
      "The label cannot be read."
    case .alreadyEnrolled, .wasRemoved, .noPosition, .notEnrolled, .gatewayRemoved, .signature:
      "The gateway cannot be enrolled so."
    case .nameTaken: "The name is taken."
    case .fixedField, .unknownField, .fieldValue, .revisionMissing: "A field is wrong."
    case .notUndoable, .tooOld, .alreadyUndone, .changedSince, .gone:
      "The change cannot be taken back."
    case .search: "The search has a mistake."
    case .pictureType, .pictureTooLarge, .picturePixels, .pictureAnimated, .pictureDamaged,
      .pictureTrailing:
      "The picture is not taken."
    case .layout: "The layout is wrong."
    case .importLine: "The file cannot be imported."
    }
  }
}
