import HTTPServer
import LunaFleet
import LunaJSON

/// Many records at once.
enum FleetBulk {
  static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let bulk = try edit(members)
    let ids = try await ids(members, api, call)
    let (change, results) = try await api.fleet.change(by: call.actor, at: call.time) {
      work throws(FleetFailure) in try work.bulk(ids, bulk)
    }
    return HTTPResponse(
      200, json: ["change": .integer(change), "results": .array(results.map(\.json))])
  }

  private static func edit(_ members: JSONMembers) throws -> BulkEdit {
    var set = JSONObject()
    if let value = members.optional("set") { set = try JSONMembers(value, name: "set").object }
    if set["revision"] != nil {
      throw FormatError("set", "has a revision; each record has its own")
    }
    var bulk = BulkEdit(set: try FleetEndpoints.edit(.gateway, set))
    bulk.addTags = try tags(members, "addTags")
    bulk.removeTags = try tags(members, "removeTags")
    switch members.optional("remove") {
    case nil: break
    case .bool(let removes)?: bulk.removes = removes
    default: throw FormatError("remove", "is neither true nor false")
    }
    let isEdit = !set.members.isEmpty || !bulk.addTags.isEmpty || !bulk.removeTags.isEmpty
    guard isEdit != bulk.removes else {
      throw FormatError("remove", "or one of set, addTags and removeTags is needed, and not both")
    }
    return bulk
  }

  private static func tags(_ members: JSONMembers, _ name: String) throws -> [String] {
    guard members.optional(name) != nil else { return [] }
    return try members.array(name).map { value in
      guard case .string(let tag) = value, GatewayTag.isTag(tag) else {
        throw FormatError(name, "has a tag that is not 1 to 32 of a-z, 0-9, - and _")
      }
      return tag
    }
  }

  private static func ids(_ members: JSONMembers, _ api: API, _ call: APICall) async throws
    -> [String]
  {
    if members.optional("ids") != nil {
      guard members.optional("q") == nil else { throw FormatError("q", "stands beside ids") }
      let values = try members.array("ids")
      guard (1...BulkEdit.limit).contains(values.count) else {
        throw FormatError("ids", "has not 1 to \(BulkEdit.limit) elements")
      }
      var ids: [String] = []
      for value in values {
        guard case .string(let id) = value, id.unicodeScalars.count <= 64 else {
          throw FormatError("ids", "has what is no id")
        }
        if !ids.contains(id) { ids.append(id) }
      }
      return ids
    }
    let search = try FleetList.search(try members.string("q"))
    let count = try members.integer("count", in: 0...Int64(BulkEdit.limit))
    try FleetList.count(api, call)
    let found = try await FleetList.found(search, api, at: call.time).rows
    guard found.count == Int(count) else {
      throw FleetFailure.refused(.countChanged(found.count))
    }
    return found.map(\.gateway.id).sorted()
  }

  static func importLines(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    var isDry = false
    switch members.optional("dryRun") {
    case nil: break
    case .bool(let value)?: isDry = value
    default: throw FormatError("dryRun", "is neither true nor false")
    }
    var edits: [(line: Int, edit: RecordEdit)] = []
    var errors: [FleetError] = []
    for (index, value) in try members.array("lines").enumerated() {
      guard case .object(let fields) = value else {
        errors.append(FleetError(.importLine, "the line is no object", position: index + 1))
        continue
      }
      do throws(FieldErrors) {
        edits.append((index + 1, try GatewayLine(line: index + 1, fields: fields).edit()))
      } catch { errors += error.errors }
    }
    guard errors.isEmpty else { throw ProblemDocument(FieldErrors(errors)) }
    guard !edits.isEmpty else { throw FormatError("lines", "is empty") }
    let (ready, dryRun) = (edits, isDry)
    do throws(FleetFailure) {
      let (change, gateways) = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in
        let done = try work.add(ready)
        if dryRun { throw .refused(.dryRun(done.gateways.count)) }
        return done
      }
      return HTTPResponse(
        201,
        json: [
          "change": .integer(change), "count": .integer(Int64(gateways.count)),
          "ids": .array(gateways.map { .string($0.id) }),
        ])
    } catch {
      guard case .refused(.dryRun(let count)) = error else { throw error }
      return HTTPResponse(200, json: ["count": .integer(Int64(count)), "dryRun": true])
    }
  }
}
